package dev.sluice.metrics.capacity;

import dev.sluice.bus.Service;
import dev.sluice.bus.Topic;
import dev.sluice.bus.message.ClusterUsage;
import dev.sluice.bus.message.ClusterUsage.UsageQuestion;
import dev.sluice.bus.message.WatchStatus;
import dev.sluice.capacity.CapacityReport.Amount;
import dev.sluice.capacity.CapacityReport.ClusterUse;
import dev.sluice.capacity.CapacityReport.NodeAmounts;
import dev.sluice.capacity.CapacityReport.Sum;
import dev.sluice.capacity.DeviceTotals;
import dev.sluice.metrics.MetricFamilies;
import dev.sluice.metrics.MetricName;
import dev.sluice.metrics.PartNumbers;
import dev.sluice.scrape.PartMetrics;
import io.vertx.core.Future;
import io.vertx.core.Vertx;

/**
 * Shows what nodes have of each device, and what is taken of it: over all nodes, and for each one of a cluster that is
 * not large. Nothing is kept between two scrapes; each asks the owner of the ledger.
 */
public final class CapacityMetrics implements PartMetrics {

    private final int mostNodes;
    private volatile MetricFamilies newest = new MetricFamilies();
    private volatile boolean podsWithheld;

    /** @param mostNodes with devices that have series of their own; none has if there are more */
    public CapacityMetrics(int mostNodes) {
        this.mostNodes = mostNodes;
    }

    @Override
    public String part() {
        return "capacity";
    }

    /** Those of the last scrape. */
    @Override
    public MetricFamilies families() {
        return newest;
    }

    @Override
    public void listen(Vertx vertx) {
        Topic.WATCH_STATUS.subscribe(vertx, status -> {
            if (status.kind() == WatchStatus.ObjectKind.PODS) {
                podsWithheld = status.isWithheld();
            }
        });
    }

    @Override
    public void answer(Vertx vertx) {
        listen(vertx);
        Service.SCRAPE.of(part()).serveLater(vertx, _ -> numbers(vertx));
    }

    private Future<PartNumbers> numbers(Vertx vertx) {
        return Service.USAGE.ask(vertx, new UsageQuestion()).map(usage -> {
            newest = shown(usage);
            return newest.numbers();
        });
    }

    private MetricFamilies shown(ClusterUsage usage) {
        boolean known = usage.podsKnown() && !podsWithheld;
        DeviceTotals totals = DeviceTotals.of(
                usage.cluster(),
                known ? new ClusterUse.UseKnown(usage.byNode(), usage.unplaced()) : new ClusterUse.UseUnknown(),
                mostNodes);
        MetricFamilies families = new MetricFamilies();
        totals.sums().forEach(sum -> show(families, sum, known));
        totals.nodes().forEach(node -> show(families, node, known));
        return families;
    }

    private static void show(MetricFamilies families, Sum sum, boolean podsKnown) {
        Amount total = sum.total();
        String resource = sum.resource().value();
        families.show(MetricName.RESOURCE_ALLOCATABLE, total::allocatable, "resource", resource);
        if (podsKnown) {
            families.show(MetricName.RESOURCE_ALLOCATED, total::allocated, "resource", resource);
            families.show(MetricName.RESOURCE_RESERVED, total::reserved, "resource", resource);
            families.show(MetricName.RESOURCE_AVAILABLE, sum::available, "resource", resource);
        }
    }

    private static void show(MetricFamilies families, NodeAmounts node, boolean podsKnown) {
        for (Amount amount : node.amounts()) {
            String[] labels = {
                "node", node.node(), "resource", amount.resource().value()
            };
            families.show(MetricName.NODE_ALLOCATABLE, amount::allocatable, labels);
            if (podsKnown) {
                families.show(MetricName.NODE_ALLOCATED, amount::allocated, labels);
                families.show(MetricName.NODE_AVAILABLE, amount::available, labels);
            }
        }
    }
}
