package dev.sluice.log;

import ch.qos.logback.classic.pattern.ClassicConverter;
import ch.qos.logback.classic.spi.ILoggingEvent;

/** The message of a line; names and warnings in it are others' words. */
public final class MessageConverter extends ClassicConverter {

    /** Warnings of a decision have 240 letters each, and its message names a few of them. */
    static final int LONGEST = 4_096;

    @Override
    public String convert(ILoggingEvent event) {
        String message = event.getFormattedMessage();
        return message == null ? "" : OneLine.of(message, LONGEST);
    }
}
