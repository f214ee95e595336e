package dev.sluice.log;

import ch.qos.logback.classic.spi.IThrowableProxy;
import ch.qos.logback.classic.spi.StackTraceElementProxy;
import org.jspecify.annotations.Nullable;

/**
 * Formats a stack trace. Its lines are indented and its messages are escaped, so that none of its lines looks like the
 * first line of a log entry.
 */
final class StackTraceText {

    private static final int LONGEST_MESSAGE = 1_024;
    private static final int MOST_FRAMES = 64;
    private static final int MOST_CAUSES = 8;

    private StackTraceText() {}

    /** Appends the stack trace of a fault. Appends nothing if {@code first} is null. */
    static void append(@Nullable IThrowableProxy first, StringBuilder text) {
        IThrowableProxy fault = first;
        for (int causes = 0; fault != null && causes < MOST_CAUSES; causes++) {
            append(fault, causes == 0 ? "\t" : "\tcaused by ", text);
            fault = fault.getCause();
        }
    }

    private static void append(IThrowableProxy fault, String lead, StringBuilder text) {
        text.append(lead).append(fault.getClassName());
        String message = fault.getMessage();
        if (message != null) {
            text.append(": ");
            LogTextEscaper.append(message, LONGEST_MESSAGE, text);
        }
        text.append('\n');
        StackTraceElementProxy[] frames = fault.getStackTraceElementProxyArray();
        for (int i = 0; i < Math.min(frames.length, MOST_FRAMES); i++) {
            text.append("\t\t").append(frames[i]).append('\n');
        }
    }
}
