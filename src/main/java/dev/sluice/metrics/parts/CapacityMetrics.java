package dev.sluice.metrics.parts;

import dev.sluice.bus.ClusterUsageReply.DevicesQuestion;
import dev.sluice.bus.Service;
import dev.sluice.bus.Topic;
import dev.sluice.bus.WatchStatusMessage;
import dev.sluice.cluster.quantity.ResourceName;
import dev.sluice.ledger.LedgerClusterDevices;
import dev.sluice.ledger.placement.PlacementDeviceUsage;
import dev.sluice.metrics.MetricFamilies;
import dev.sluice.metrics.MetricName;
import dev.sluice.metrics.PartMetricValues;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.HashMap;
import java.util.Map;

/**
 * Shows the capacity and the usage of each device resource: the sum over all nodes, and in small clusters also the
 * values of each node. At each scrape, the values are requested from the verticle that counts the used devices.
 */
final class CapacityMetrics implements PartMetrics {

    private final int mostNodes;
    private final DeviceSeries series = new DeviceSeries();
    private volatile MetricFamilies newest = new MetricFamilies();
    private volatile boolean podsWithheld;

    /**
     * Creates the metrics.
     *
     * @param mostNodes the maximum number of nodes with devices. If the cluster has more of them, there are no series
     *     for single nodes
     */
    CapacityMetrics(int mostNodes) {
        this.mostNodes = mostNodes;
    }

    @Override
    public String part() {
        return "capacity";
    }

    /** Returns the series of the last scrape. */
    @Override
    public MetricFamilies families() {
        return newest;
    }

    @Override
    public void listen(Vertx vertx) {
        Topic.WATCH_STATUS.subscribe(vertx, status -> {
            if (status.kind() == WatchStatusMessage.ObjectKind.PODS) {
                podsWithheld = status.isWithheld();
            }
        });
    }

    @Override
    public void answer(Vertx vertx) {
        listen(vertx);
        Service.SCRAPE.of(part()).serveLater(vertx, _ -> numbers(vertx));
    }

    private Future<PartMetricValues> numbers(Vertx vertx) {
        return Service.DEVICES.ask(vertx, new DevicesQuestion(mostNodes)).map(reply -> {
            newest = shown(reply.devices(), reply.podsKnown() && !podsWithheld);
            return newest.numbers();
        });
    }

    private MetricFamilies shown(LedgerClusterDevices devices, boolean podsKnown) {
        MetricFamilies families = new MetricFamilies();
        series.see(devices.total());
        long others = devices.total().keySet().stream()
                .filter(device -> !series.hasSeries(device))
                .count();
        families.show(MetricName.RESOURCES_WITHOUT_SERIES, () -> others);
        byLabel(devices.total()).forEach((label, usage) -> {
            String[] labels = {"resource", label};
            families.show(MetricName.RESOURCE_ALLOCATABLE, usage::allocatable, labels);
            if (podsKnown) {
                families.show(MetricName.RESOURCE_ALLOCATED, usage::allocated, labels);
                families.show(MetricName.RESOURCE_RESERVED, usage::reserved, labels);
                families.show(MetricName.RESOURCE_AVAILABLE, usage::available, labels);
            }
        });
        devices.byNode()
                .forEach((node, own) -> byLabel(own).forEach((label, usage) -> {
                    String[] labels = {"node", node, "resource", label};
                    families.show(MetricName.NODE_ALLOCATABLE, usage::allocatable, labels);
                    if (podsKnown) {
                        families.show(MetricName.NODE_ALLOCATED, usage::allocated, labels);
                        families.show(MetricName.NODE_AVAILABLE, usage::available, labels);
                    }
                }));
        return families;
    }

    private Map<String, PlacementDeviceUsage> byLabel(Map<ResourceName, PlacementDeviceUsage> devices) {
        Map<String, PlacementDeviceUsage> byLabel = new HashMap<>();
        devices.forEach((device, usage) -> byLabel.merge(series.label(device), usage, PlacementDeviceUsage::plus));
        return byLabel;
    }
}
