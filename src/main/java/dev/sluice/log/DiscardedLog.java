package dev.sluice.log;

import ch.qos.logback.classic.LoggerContext;
import java.io.OutputStream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.helpers.NOPLogger;

/**
 * Provides a logger that formats its lines like the log of decisions, and then drops them. The gateway uses it in the
 * warm-up at its start, when it decides about artificial reviews to make the JVM compile its code.
 */
public final class DiscardedLog {

    private static final String NAME = "dev.sluice.discarded";

    private DiscardedLog() {}

    /** Returns the logger, which all callers share. The logger does nothing if the log library is not Logback. */
    public static Logger open() {
        return LoggerFactory.getILoggerFactory() instanceof LoggerContext context
                ? open(context)
                : NOPLogger.NOP_LOGGER;
    }

    static Logger open(LoggerContext context) {
        ch.qos.logback.classic.Logger logger = context.getLogger(NAME);
        logger.setAdditive(false);
        logger.detachAndStopAllAppenders();
        if (context.getLogger(BatchedLogAppender.DECISIONS).getAppender(BatchedLogAppender.NAME)
                instanceof BatchedLogAppender written) {
            BatchedLogAppender nowhere = new BatchedLogAppender();
            nowhere.setName(BatchedLogAppender.NAME);
            nowhere.setContext(context);
            nowhere.setEncoder(written.getEncoder());
            nowhere.setOutputStream(OutputStream.nullOutputStream());
            nowhere.start();
            logger.addAppender(nowhere);
        }
        return logger;
    }
}
