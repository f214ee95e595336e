package dev.sluice.metrics.parts;

import com.codahale.metrics.Counter;
import dev.sluice.metrics.MetricFamilies;
import dev.sluice.metrics.MetricName;
import io.vertx.core.spi.metrics.PoolMetrics;

/** Counts the tasks of one thread pool. */
final class ThreadPoolPartMetrics implements PoolMetrics<Object, Object> {

    /** Vert.x requires an object for each task and passes it back. All tasks share this one. */
    private static final Object ANY = new Object();

    private final Counter queued;
    private final Counter inUse;

    ThreadPoolPartMetrics(MetricFamilies families, String pool, int threads) {
        queued = families.counter(MetricName.POOL_QUEUED, "pool", pool);
        inUse = families.counter(MetricName.POOL_IN_USE, "pool", pool);
        families.show(MetricName.POOL_THREADS, () -> threads, "pool", pool);
    }

    @Override
    public Object enqueue() {
        queued.inc();
        return ANY;
    }

    @Override
    public void dequeue(Object task) {
        queued.dec();
    }

    @Override
    public Object begin() {
        inUse.inc();
        return ANY;
    }

    @Override
    public void end(Object task) {
        inUse.dec();
    }
}
