package dev.sluice.log;

import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.Appender;
import ch.qos.logback.core.OutputStreamAppender;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The formats of log lines. */
public enum LogFormat {
    /** The line is a sentence followed by keys and values, for people. */
    TEXT,
    /** The line is one JSON object, for log collectors. */
    JSON;

    /**
     * Sets the format of all log lines from now on. Does nothing if the log library is not Logback with the appenders
     * of this package.
     */
    public void use() {
        if (this == JSON && LoggerFactory.getILoggerFactory() instanceof LoggerContext context) {
            use(context);
        }
    }

    static void use(LoggerContext context) {
        if (context.getLogger(Logger.ROOT_LOGGER_NAME).getAppender(LossCounter.NAME) instanceof LossCounter lines) {
            useJson(lines.getAppender("STDERR"), context);
        }
        useJson(context.getLogger(BatchedLogAppender.DECISIONS).getAppender(BatchedLogAppender.NAME), context);
    }

    private static void useJson(@Nullable Appender<ILoggingEvent> appender, LoggerContext context) {
        if (appender instanceof OutputStreamAppender<ILoggingEvent> written) {
            LogLineEncoder encoder = new LogLineEncoder(JSON);
            encoder.setContext(context);
            encoder.start();
            written.setEncoder(encoder);
        }
    }
}
