package dev.sluice.log;

import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.IThrowableProxy;
import ch.qos.logback.core.encoder.EncoderBase;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Formats log lines for the appenders in {@code logback.xml}: time, level, message, keys and values, and a stack trace
 * if there is one. Untrusted text is cut and escaped, so that it cannot forge a line or a key. Lines are appended to a
 * buffer of the caller. A new object for each line would be slow, because each decision is logged.
 */
public final class LogLineEncoder extends EncoderBase<ILoggingEvent> {

    /**
     * The maximum number of characters of a message. The message of a decision quotes a few warnings of 240 characters
     * each.
     */
    private static final int LONGEST_MESSAGE = 4_096;

    /**
     * The maximum number of characters of a stack trace in JSON. In both formats, a stack trace also has at most eight
     * exceptions with 64 frames each.
     */
    private static final int LONGEST_STACK = 64 * 1_024;

    private static final byte[] NOTHING = {};
    private static final long MILLIS = 1_000;
    private static final DateTimeFormatter SECONDS =
            DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.", Locale.ROOT).withZone(ZoneOffset.UTC);

    /** A second since 1970 and its text. Lines of the same second share the text. */
    private record Second(long number, String text) {}

    /**
     * The name of the logger with which fabric8 reads a kubeconfig. If fabric8 cannot parse the output of a credential
     * program, the message of its exception quotes this output, which may contain a token.
     */
    private static final String OF_CREDENTIALS = "io.fabric8.kubernetes.client.internal.KubeConfigUtils";

    private final LogFormat format;
    /** The second of the newest line. Threads replace this field without a lock, because the record is immutable. */
    private Second second = new Second(Long.MIN_VALUE, "");

    /** Creates an encoder for {@link LogFormat#TEXT}. {@link LogFormat#use} changes the format. */
    public LogLineEncoder() {
        this(LogFormat.TEXT);
    }

    LogLineEncoder(LogFormat format) {
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

    /** Appends the line of the event, including the line break. */
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
        LogLineEvent.keys(event, new LogLineKeys(format, line));
        line.append('\n');
        StackTraceText.append(fault(event), line);
    }

    private void appendJson(ILoggingEvent event, StringBuilder line) {
        line.append("{\"time\":\"");
        appendTime(event, line);
        line.append("\",\"level\":\"").append(event.getLevel()).append("\",\"message\":\"");
        appendMessage(event, line);
        line.append('"');
        LogLineEvent.keys(event, new LogLineKeys(format, line));
        IThrowableProxy fault = fault(event);
        if (fault != null) {
            StringBuilder stack = new StringBuilder();
            StackTraceText.append(fault, stack);
            line.append(",\"stack\":\"");
            LogTextEscaper.append(stack.toString(), LONGEST_STACK, line);
            line.append('"');
        }
        line.append("}\n");
    }

    /**
     * Returns the exception whose stack trace is shown in the line. Returns null if there is none, or if its message
     * may contain a token.
     */
    private static @Nullable IThrowableProxy fault(ILoggingEvent event) {
        return event.getLoggerName().equals(OF_CREDENTIALS) ? null : event.getThrowableProxy();
    }

    private static void appendMessage(ILoggingEvent event, StringBuilder line) {
        String message = event.getFormattedMessage();
        if (message != null) {
            LogTextEscaper.append(message, LONGEST_MESSAGE, line);
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
