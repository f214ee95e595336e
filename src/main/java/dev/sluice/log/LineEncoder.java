package dev.sluice.log;

import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.encoder.EncoderBase;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

/**
 * Writes the lines of the log, which {@code logback.xml} gives to its appenders: time, level, message, keys, and a
 * stack trace where there is one. What others wrote is cut and escaped, so that it cannot pass for a line or a key of
 * ours. It writes into a buffer of its caller, because a line of each decision is a part of what a decision costs.
 */
public final class LineEncoder extends EncoderBase<ILoggingEvent> {

    /** The message of a decision quotes a few warnings of 240 letters each. */
    private static final int LONGEST_MESSAGE = 4_096;

    /** Eight causes of 64 frames each, as the text format writes at most. */
    private static final int LONGEST_STACK = 64 * 1_024;

    private static final byte[] NOTHING = {};
    private static final long MILLIS = 1_000;
    private static final DateTimeFormatter SECONDS =
            DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.", Locale.ROOT).withZone(ZoneOffset.UTC);

    /** The beginning of the time in lines of one second. */
    private record Second(long number, String text) {}

    private final LogFormat format;
    /** Whichever thread writes it, it is whole. */
    private Second second = new Second(Long.MIN_VALUE, "");

    /** Writes text, as long as {@link LogFormat#use} says nothing else. */
    public LineEncoder() {
        this(LogFormat.TEXT);
    }

    LineEncoder(LogFormat format) {
        this.format = format;
    }

    LogFormat format() {
        return format;
    }

    @Override
    public byte[] headerBytes() {
        return NOTHING;
    }

    @Override
    public byte[] encode(ILoggingEvent event) {
        StringBuilder line = new StringBuilder();
        append(event, line);
        return line.toString().getBytes(StandardCharsets.UTF_8);
    }

    /** Appends the line of the event, with its end. */
    void append(ILoggingEvent event, StringBuilder line) {
        switch (format) {
            case TEXT -> appendText(event, line);
            case JSON -> appendJson(event, line);
        }
    }

    private void appendText(ILoggingEvent event, StringBuilder line) {
        appendTime(event, line);
        String level = event.getLevel().toString();
        line.append(' ').append(level).repeat(' ', Math.max(1, 6 - level.length()));
        appendMessage(event, line);
        LineEvent.keys(event, new LineKeys(format, line));
        line.append('\n');
        StackTraceText.append(event.getThrowableProxy(), line);
    }

    private void appendJson(ILoggingEvent event, StringBuilder line) {
        line.append("{\"time\":\"");
        appendTime(event, line);
        line.append("\",\"level\":\"").append(event.getLevel()).append("\",\"message\":\"");
        appendMessage(event, line);
        line.append('"');
        LineEvent.keys(event, new LineKeys(format, line));
        if (event.getThrowableProxy() != null) {
            StringBuilder stack = new StringBuilder();
            StackTraceText.append(event.getThrowableProxy(), stack);
            line.append(",\"stack\":\"");
            OneLine.append(stack.toString(), LONGEST_STACK, line);
            line.append('"');
        }
        line.append("}\n");
    }

    private static void appendMessage(ILoggingEvent event, StringBuilder line) {
        String message = event.getFormattedMessage();
        if (message != null) {
            OneLine.append(message, LONGEST_MESSAGE, line);
        }
    }

    private void appendTime(ILoggingEvent event, StringBuilder line) {
        long millis = event.getTimeStamp();
        long number = Math.floorDiv(millis, MILLIS);
        Second known = second;
        if (known.number() != number) {
            known = new Second(number, SECONDS.format(Instant.ofEpochSecond(number)));
            second = known;
        }
        int rest = Math.floorMod(millis, (int) MILLIS);
        line.append(known.text())
                .append(rest < 100 ? rest < 10 ? "00" : "0" : "")
                .append(rest)
                .append('Z');
    }

    @Override
    public byte[] footerBytes() {
        return NOTHING;
    }
}
