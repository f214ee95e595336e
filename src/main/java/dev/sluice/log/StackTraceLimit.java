package dev.sluice.log;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.spi.LoggingEventBuilder;

/**
 * Limits how many stack traces of one kind of fault are logged. A client that can cause a fault may do so thousands of
 * times a second.
 */
public final class StackTraceLimit {

    /** The maximum number of stack traces in a minute. Ten stack traces are enough to see whether the faults differ. */
    private static final long MOST = 10;

    private static final long A_MINUTE = Duration.ofMinutes(1).toNanos();

    private final AtomicLong begun = new AtomicLong(System.nanoTime());
    private final AtomicLong written = new AtomicLong();

    /**
     * Adds a fault to a log line. If the limit permits another stack trace, the line contains the stack trace.
     * Otherwise the line contains only the key {@code fault} with the name and the message of the fault.
     */
    public LoggingEventBuilder add(LoggingEventBuilder line, Throwable fault) {
        return allowOne() ? line.setCause(fault) : line.addKeyValue("fault", fault);
    }

    /** Returns true if the next fault may be logged with its stack trace, and counts it. */
    public boolean allowOne() {
        long now = System.nanoTime();
        long since = begun.get();
        if (now - since > A_MINUTE && begun.compareAndSet(since, now)) {
            written.set(0);
        }
        return written.getAndIncrement() < MOST;
    }
}
