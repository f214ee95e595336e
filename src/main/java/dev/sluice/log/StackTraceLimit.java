package dev.sluice.log;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.spi.LoggingEventBuilder;

/**
 * Limits how many stack traces a kind of fault writes to the log, because someone who can provoke a fault may do so
 * thousands of times a second.
 */
public final class StackTraceLimit {

    /** Ten stack traces show whether faults differ. */
    private static final long MOST = 10;

    private static final long A_MINUTE = Duration.ofMinutes(1).toNanos();

    private final AtomicLong begun = new AtomicLong(System.nanoTime());
    private final AtomicLong written = new AtomicLong();

    /** The line with the fault: with its stack trace as long as it may have one, and then as a key. */
    public LoggingEventBuilder add(LoggingEventBuilder line, Throwable fault) {
        return allowOne() ? line.setCause(fault) : line.addKeyValue("fault", fault);
    }

    /** True if this fault may be logged with its stack trace. Its name and message are always logged. */
    public boolean allowOne() {
        long now = System.nanoTime();
        long since = begun.get();
        if (now - since > A_MINUTE && begun.compareAndSet(since, now)) {
            written.set(0);
        }
        return written.getAndIncrement() < MOST;
    }
}
