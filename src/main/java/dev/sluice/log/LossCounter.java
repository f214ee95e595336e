package dev.sluice.log;

import ch.qos.logback.classic.AsyncAppender;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Hands lines over to the thread that writes them, and counts the lines for which there is no room. */
public final class LossCounter extends AsyncAppender {

    /** The name of this appender in {@code logback.xml}. */
    static final String NAME = "ASYNC";

    private static final AtomicBoolean USED = new AtomicBoolean();

    private final AtomicLong lost = new AtomicLong();
    private final Object lock = new Object();

    public LossCounter() {
        setNeverBlock(true);
        // With zero, lines of level INFO are not discarded earlier than others.
        setDiscardingThreshold(0);
        USED.set(true);
    }

    /** Returns true if something was logged in this process, or could have been. */
    public static boolean isUsed() {
        return USED.get();
    }

    /** Adds a line, or counts it as lost. The lock ensures that no line is lost while there is room. */
    @Override
    protected void put(ILoggingEvent line) {
        synchronized (lock) {
            if (getRemainingCapacity() > 0) {
                super.put(line);
                return;
            }
        }
        lost.incrementAndGet();
    }

    long count() {
        return lost.get();
    }

    /** Returns the number of lost lines since the start; 0 if the log has another configuration. */
    public static long lost() {
        return LoggerFactory.getILoggerFactory() instanceof LoggerContext context
                        && context.getLogger(Logger.ROOT_LOGGER_NAME).getAppender(NAME) instanceof LossCounter counter
                ? counter.count()
                : 0;
    }
}
