package dev.sluice.metrics.parts;

import dev.sluice.metrics.MetricFamilies;
import dev.sluice.metrics.MetricName;
import dev.sluice.record.BypassCause;
import dev.sluice.record.BypassCounts;
import dev.sluice.record.BypassCounts.BypassKey;
import io.vertx.core.Vertx;

/** Counts the GPU pods that no gateway decided about. It is thread-safe. */
public final class BypassMetrics implements PartMetrics {

    private final MetricFamilies families = new MetricFamilies();

    /**
     * Creates the metrics. A namespace gets its own series when its first pod is counted, until a maximum number of
     * series is reached. All other namespaces share one series, which exists from the start.
     */
    public BypassMetrics() {
        for (BypassCause cause : BypassCause.values()) {
            count(new BypassKey(BypassCounts.OTHERS, cause), 0);
        }
    }

    public void count(BypassKey key, int pods) {
        families.counter(
                        MetricName.BYPASSED,
                        "namespace",
                        key.namespace(),
                        "cause",
                        key.cause().word())
                .inc(pods);
    }

    @Override
    public String part() {
        return "bypass";
    }

    @Override
    public MetricFamilies families() {
        return families;
    }

    @Override
    public void listen(Vertx vertx) {}
}
