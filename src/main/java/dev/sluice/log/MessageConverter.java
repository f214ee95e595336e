package dev.sluice.log;

import ch.qos.logback.classic.pattern.ClassicConverter;
import ch.qos.logback.classic.spi.ILoggingEvent;

/** Writes the message of a line and escapes it, because it may quote names and warnings. */
public final class MessageConverter extends ClassicConverter {

    /** The message of a decision quotes a few warnings of 240 letters each. */
    static final int LONGEST = 4_096;

    @Override
    public String convert(ILoggingEvent event) {
        String message = event.getFormattedMessage();
        return message == null ? "" : OneLine.of(message, LONGEST);
    }
}
