package dev.sluice.log;

import ch.qos.logback.classic.AsyncAppender;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An appender that passes lines to a writing thread through a queue, and counts the lines that are lost because the
 * queue is full.
 */
public final class LossCounter extends AsyncAppender {

    /** The name of this appender in {@code logback.xml}. */
    static final String NAME = "ASYNC";

    private static final AtomicBoolean USED = new AtomicBoolean();

    private final AtomicLong lost = new AtomicLong();
    private final Object lock = new Object();

    public LossCounter() {
        setNeverBlock(true);
        // By default, Logback discards INFO lines when the queue is 80 % full. The threshold 0 turns that off.
        setDiscardingThreshold(0);
        USED.set(true);
    }

    /**
     * Returns true if this process has created an appender of this class, so that log lines may be waiting in its
     * queue.
     */
    public static boolean isUsed() {
        return USED.get();
    }

    /**
     * Adds a line to the queue, or counts it as lost if the queue is full. The lock is held from the check to the
     * addition. Otherwise another thread could fill the queue in between, and the line would be lost without being
     * counted.
     */
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

    /**
     * Returns the number of lines lost since the start of the process. Returns 0 if the log has no appender of this
     * class.
     */
    public static long lost() {
        return LoggerFactory.getILoggerFactory() instanceof LoggerContext context
                        && context.getLogger(Logger.ROOT_LOGGER_NAME).getAppender(NAME) instanceof LossCounter counter
                ? counter.count()
                : 0;
    }
}
