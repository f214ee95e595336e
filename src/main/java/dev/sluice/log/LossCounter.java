package dev.sluice.log;

import ch.qos.logback.classic.AsyncAppender;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Hands lines over to a thread that writes them. A line for which there is no room is lost, and counted. */
public final class LossCounter extends AsyncAppender {

    /** Its name in {@code logback.xml}. */
    private static final String NAME = "ASYNC";

    private final AtomicLong lost = new AtomicLong();
    private final Object lock = new Object();

    /** {@code logback.xml} makes it. */
    public LossCounter() {
        setNeverBlock(true);
        // Whatever there is room for is kept, lines of level INFO too.
        setDiscardingThreshold(0);
    }

    /** Only here lines are put in, one after the other; so where there is room, none is lost. */
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

    /** So many lines were lost here. */
    long count() {
        return lost.get();
    }

    /** Since the process began; 0 where the log is configured in another way. */
    public static long lost() {
        return LoggerFactory.getILoggerFactory() instanceof LoggerContext context
                        && context.getLogger(Logger.ROOT_LOGGER_NAME).getAppender(NAME) instanceof LossCounter counter
                ? counter.count()
                : 0;
    }
}
