package dev.sluice.webhook;

import io.vertx.core.Vertx;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Tells for how long an event loop was held at most: the time that its thread computed between two turns. (A busy
 * machine also lets it wait, which no review can help.)
 */
final class LoopProbe {

    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
    private static final long EVERY_MILLIS = 1;

    private final AtomicLong longest = new AtomicLong();
    private long last = -1;

    /** {@code vertx} must have one event loop. */
    LoopProbe(Vertx vertx) {
        vertx.setPeriodic(EVERY_MILLIS, _ -> look());
    }

    private void look() {
        long now = THREADS.getCurrentThreadCpuTime();
        long before = last;
        last = now;
        if (before >= 0) {
            longest.accumulateAndGet(now - before, Math::max);
        }
    }

    /** Since this was asked last. */
    Duration longest() {
        return Duration.ofNanos(longest.getAndSet(0));
    }
}
