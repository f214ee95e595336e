package dev.sluice.log;

import ch.qos.logback.classic.pattern.ThrowableHandlingConverter;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.IThrowableProxy;
import ch.qos.logback.classic.spi.StackTraceElementProxy;

/** Writes a stack trace, indented and with escaped messages, so that none of it can pass for a line of the log. */
public final class StackTraceConverter extends ThrowableHandlingConverter {

    private static final int LONGEST_MESSAGE = 1_024;
    private static final int MOST_FRAMES = 64;
    private static final int MOST_CAUSES = 8;

    @Override
    public String convert(ILoggingEvent event) {
        StringBuilder text = new StringBuilder();
        IThrowableProxy fault = event.getThrowableProxy();
        for (int causes = 0; fault != null && causes < MOST_CAUSES; causes++) {
            append(fault, causes == 0 ? "\t" : "\tcaused by ", text);
            fault = fault.getCause();
        }
        return text.toString();
    }

    private static void append(IThrowableProxy fault, String lead, StringBuilder text) {
        text.append(lead).append(fault.getClassName());
        String message = fault.getMessage();
        if (message != null) {
            text.append(": ").append(OneLine.of(message, LONGEST_MESSAGE));
        }
        text.append('\n');
        StackTraceElementProxy[] frames = fault.getStackTraceElementProxyArray();
        for (int i = 0; i < Math.min(frames.length, MOST_FRAMES); i++) {
            text.append("\t\t").append(frames[i]).append('\n');
        }
    }
}
