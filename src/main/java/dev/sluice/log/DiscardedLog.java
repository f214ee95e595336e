package dev.sluice.log;

import ch.qos.logback.classic.LoggerContext;
import java.io.OutputStream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.helpers.NOPLogger;

/** A log for the warm-up. Its lines are made as all others are, and then dropped. */
public final class DiscardedLog {

    private static final String NAME = "dev.sluice.discarded";

    private DiscardedLog() {}

    /** Returns that log, which all callers share. It does nothing if another library writes the log. */
    public static Logger open() {
        return LoggerFactory.getILoggerFactory() instanceof LoggerContext context
                ? open(context)
                : NOPLogger.NOP_LOGGER;
    }

    static Logger open(LoggerContext context) {
        ch.qos.logback.classic.Logger logger = context.getLogger(NAME);
        logger.setAdditive(false);
        logger.detachAndStopAllAppenders();
        if (context.getLogger(BatchedLines.DECISIONS).getAppender(BatchedLines.NAME) instanceof BatchedLines written) {
            BatchedLines nowhere = new BatchedLines();
            nowhere.setName(BatchedLines.NAME);
            nowhere.setContext(context);
            nowhere.setEncoder(written.getEncoder());
            nowhere.setOutputStream(OutputStream.nullOutputStream());
            nowhere.start();
            logger.addAppender(nowhere);
        }
        return logger;
    }
}
