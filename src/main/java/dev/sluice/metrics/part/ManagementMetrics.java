package dev.sluice.metrics.part;

import dev.sluice.access.AccessRefusal;
import dev.sluice.access.RefusedReaders;
import dev.sluice.connection.Connections;
import dev.sluice.metrics.MetricFamilies;
import dev.sluice.metrics.MetricName;
import dev.sluice.scrape.PartMetrics;
import io.vertx.core.Vertx;

/** Shows the connections of the management port, and who was not let in there. */
public record ManagementMetrics(MetricFamilies families) implements PartMetrics {

    public ManagementMetrics(Connections connections, RefusedReaders refused) {
        this(new MetricFamilies());
        families.show(MetricName.CONNECTIONS, connections::count, "port", "management");
        for (AccessRefusal refusal : AccessRefusal.values()) {
            families.show(MetricName.ACCESS_REFUSED, () -> refused.count(refusal), "reason", refusal.word());
        }
    }

    @Override
    public String part() {
        return "management";
    }

    /** Its numbers are kept elsewhere. */
    @Override
    public void listen(Vertx vertx) {}
}
