package dev.sluice.metrics.part;

import dev.sluice.connection.Connections;
import dev.sluice.metrics.MetricFamilies;
import dev.sluice.metrics.MetricName;
import dev.sluice.scrape.PartMetrics;
import io.vertx.core.Vertx;

/** Shows the connections of the management port. */
public record ManagementMetrics(MetricFamilies families) implements PartMetrics {

    public ManagementMetrics(Connections connections) {
        this(new MetricFamilies());
        families.show(MetricName.CONNECTIONS, connections::count, "port", "management");
    }

    @Override
    public String part() {
        return "management";
    }

    /** Its numbers are kept elsewhere. */
    @Override
    public void listen(Vertx vertx) {}
}
