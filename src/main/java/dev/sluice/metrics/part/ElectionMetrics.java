package dev.sluice.metrics.part;

import dev.sluice.bus.Topic;
import dev.sluice.bus.message.LeaseState;
import dev.sluice.metrics.MetricFamilies;
import dev.sluice.metrics.MetricName;
import dev.sluice.scrape.PartMetrics;
import io.vertx.core.Vertx;

/** Shows whether this process decides in availability mode. Has one owner. */
public final class ElectionMetrics implements PartMetrics {

    private final MetricFamilies families = new MetricFamilies();
    private LeaseState lease = new LeaseState.Standby("");

    public ElectionMetrics() {
        families.show(MetricName.LEASE_HELD, () -> lease instanceof LeaseState.Leading ? 1 : 0);
    }

    @Override
    public String part() {
        return "election";
    }

    @Override
    public MetricFamilies families() {
        return families;
    }

    @Override
    public void listen(Vertx vertx) {
        Topic.LEASE_STATE.subscribe(vertx, newest -> lease = newest);
    }
}
