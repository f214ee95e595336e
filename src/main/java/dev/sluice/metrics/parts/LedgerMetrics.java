package dev.sluice.metrics.parts;

import com.codahale.metrics.Counter;
import dev.sluice.bus.FreshnessMessage;
import dev.sluice.bus.Topic;
import dev.sluice.bus.WatchStatusMessage.ObjectKind;
import dev.sluice.cluster.ClusterSnapshot;
import dev.sluice.ledger.LedgerStatistics;
import dev.sluice.metrics.MetricFamilies;
import dev.sluice.metrics.MetricName;
import io.vertx.core.Vertx;

/**
 * Shows the newest statistics of the ledger, and the newest snapshot that decisions read. The decision verticle
 * publishes both. The ledger counts the allocated and reserved devices. This class is not thread-safe.
 */
final class LedgerMetrics implements PartMetrics {

    private final MetricFamilies families = new MetricFamilies();
    private final Counter eventFaults = families.counter(MetricName.EVENT_FAULTS);
    private LedgerStatistics ledger = LedgerStatistics.NONE;
    private FreshnessMessage freshness = FreshnessMessage.unproved(FreshnessMessage.NO_LIMIT);
    private long generation;
    private long nodes;

    LedgerMetrics() {
        families.show(MetricName.GENERATION, () -> generation);
        families.show(MetricName.NODES, () -> nodes);
        for (ObjectKind kind : ObjectKind.values()) {
            families.moment(MetricName.CURRENT_AS_OF, () -> freshness.of(kind), "kind", kind.word());
        }
        showPods();
        showFindings();
        showDecisions();
    }

    private void showPods() {
        families.show(MetricName.PODS_COUNTED, () -> ledger.pods());
        families.show(MetricName.ASSUMED, () -> ledger.assumed());
        families.show(MetricName.UNPLACED, () -> ledger.unplaced());
        families.show(MetricName.OVERCOMMITTED, () -> ledger.overcommitted());
        families.show(MetricName.BROKEN_PROMISES, () -> ledger.evictions());
    }

    private void showFindings() {
        families.show(MetricName.AUDIT_FINDINGS, () -> ledger.auditDifference().pods(), "differs", "pods");
        families.show(MetricName.AUDIT_FINDINGS, () -> ledger.auditDifference().nodes(), "differs", "nodes");
        families.show(MetricName.AUDIT_FINDINGS, () -> ledger.auditDifference().places(), "differs", "places");
    }

    private void showDecisions() {
        families.show(MetricName.ASSUMED_BYTES, () -> ledger.decisions().bytes());
        families.show(MetricName.GAVE_WAY, () -> ledger.decisions().preempted());
        families.show(MetricName.REPLACED, () -> ledger.decisions().replaced());
        families.show(MetricName.LATE_PODS, () -> ledger.decisions().late());
        families.show(MetricName.NOT_RESERVED, () -> ledger.decisions().ofNamespace(), "limit", "namespace");
        families.show(MetricName.NOT_RESERVED, () -> ledger.decisions().inAll(), "limit", "all");
        families.show(MetricName.NOT_RESERVED, () -> ledger.decisions().bySize(), "limit", "size");
    }

    @Override
    public String part() {
        return "decision";
    }

    @Override
    public MetricFamilies families() {
        return families;
    }

    @Override
    public void listen(Vertx vertx) {
        Topic.SNAPSHOTS.subscribe(vertx, this::snapshot);
        Topic.FRESHNESS.subscribe(vertx, newest -> freshness = newest);
        Topic.LEDGER_STATISTICS.subscribe(vertx, newest -> ledger = newest);
        Topic.RELIST_REQUESTS.subscribe(vertx, _ -> eventFaults.inc());
    }

    private void snapshot(ClusterSnapshot snapshot) {
        generation = snapshot.generation();
        nodes = snapshot.size();
    }
}
