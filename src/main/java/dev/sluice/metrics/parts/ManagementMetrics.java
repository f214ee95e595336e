package dev.sluice.metrics.parts;

import com.codahale.metrics.Counter;
import dev.sluice.metrics.MetricFamilies;
import dev.sluice.metrics.MetricName;
import dev.sluice.webhook.intake.Connections;
import io.vertx.core.Vertx;

/**
 * Shows the connections of the management port, its refused requests, and the decisions that clients of the event
 * stream have missed.
 */
public record ManagementMetrics(MetricFamilies families) implements PartMetrics {

    public ManagementMetrics(Connections connections) {
        this(new MetricFamilies());
        families.show(MetricName.CONNECTIONS, connections::count, "port", "management");
        for (AccessRefusal refusal : AccessRefusal.values()) {
            var _ = counter(refusal);
        }
        var _ = missed();
    }

    /** Counts a refused request. This method is thread-safe. */
    public void refuse(AccessRefusal refusal) {
        counter(refusal).inc();
    }

    /**
     * Counts decisions that a client of the event stream did not receive, because it was too slow and was disconnected.
     */
    public void miss(long decisions) {
        missed().inc(decisions);
    }

    private Counter missed() {
        return families.counter(MetricName.RECORDS_DROPPED, "consumer", "stream");
    }

    private Counter counter(AccessRefusal refusal) {
        return families.counter(MetricName.ACCESS_REFUSED, "reason", refusal.word());
    }

    @Override
    public String part() {
        return "management";
    }

    /** Does nothing, because the management server calls the methods of this class directly. */
    @Override
    public void listen(Vertx vertx) {}
}
