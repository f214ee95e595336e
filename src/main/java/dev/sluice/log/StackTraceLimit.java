package dev.sluice.log;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

/**
 * How many stacks a kind of fault may leave in the log: each is worth a hundred lines, and whoever finds out how to
 * provoke a fault can do so thousands of times a second.
 */
public final class StackTraceLimit {

    /** Enough to see that faults differ. */
    private static final long MOST = 10;

    private static final long A_MINUTE = Duration.ofMinutes(1).toNanos();

    private final AtomicLong begun = new AtomicLong(System.nanoTime());
    private final AtomicLong written = new AtomicLong();

    /** Whether this fault may be logged with its stack; its name and its message always are. */
    public boolean allowOne() {
        long now = System.nanoTime();
        long since = begun.get();
        if (now - since > A_MINUTE && begun.compareAndSet(since, now)) {
            written.set(0);
        }
        return written.getAndIncrement() < MOST;
    }
}
