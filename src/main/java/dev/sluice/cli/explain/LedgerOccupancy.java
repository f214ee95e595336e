package dev.sluice.cli.explain;

import dev.sluice.admission.Occupancy;
import dev.sluice.api.ClusterContents;
import dev.sluice.cluster.ClusterSnapshot;
import dev.sluice.cluster.Node;
import dev.sluice.cluster.NodeConstraints;
import dev.sluice.cluster.Pod;
import dev.sluice.cluster.PodId;
import dev.sluice.cluster.PodPriority;
import dev.sluice.cluster.quantity.Amounts;
import dev.sluice.cluster.quantity.ResourceName;
import dev.sluice.ledger.Ledger;
import dev.sluice.ledger.LedgerNodeUsage;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The pods on each node according to a ledger, for explanations. The ledger itself keeps only a few names of pods; this
 * class keeps all of them.
 */
final class LedgerOccupancy implements Occupancy {

    private final Ledger ledger;
    private final ClusterSnapshot cluster;
    private final Map<String, LedgerNodeUsage> usage;
    private final Map<String, List<PodOnNode>> occupants = new HashMap<>();

    LedgerOccupancy(ClusterContents contents) {
        this.ledger = contents.ledger();
        this.cluster = ledger.snapshot();
        this.usage = ledger.usage();
        addBound(contents.pods());
        addExpected();
    }

    /**
     * Adds the bound pods. A list that was read in pages contains a pod twice if the pod changed between two pages. The
     * later copy counts, as in the ledger.
     */
    private void addBound(List<Pod> pods) {
        Map<PodId, Pod> latest = new LinkedHashMap<>();
        pods.forEach(pod -> latest.put(pod.id(), pod));
        latest.values().forEach(pod -> {
            if (pod.place() instanceof Pod.Place.Bound(String node)) {
                add(node, new PodOnNode(pod.name(), PodBinding.BOUND, pod.requests()));
            }
        });
    }

    /** Adds the pending pods to the nodes on which the ledger reserves resources for them. */
    private void addExpected() {
        ledger.podUsages().forEach(holder -> {
            String place = holder.tentative();
            if (place != null) {
                add(place, new PodOnNode(holder.pod(), PodBinding.EXPECTED, holder.requests()));
            }
        });
    }

    private void add(String node, PodOnNode occupant) {
        occupants.computeIfAbsent(node, _ -> new ArrayList<>()).add(occupant);
    }

    ClusterSnapshot cluster() {
        return cluster;
    }

    @Override
    public boolean isFree(Amounts need, NodeConstraints constraints) {
        return ledger.isFree(need, constraints);
    }

    @Override
    public boolean isPreemptible(Amounts need, NodeConstraints constraints, PodPriority priority) {
        return ledger.isFreeByPriority(need, constraints, priority);
    }

    @Override
    public boolean mayBeFree(Amounts need, NodeConstraints constraints) {
        return ledger.mayBeFree(need, constraints);
    }

    @Override
    public long freeOf(ResourceName device) {
        return ledger.freeOf(device);
    }

    @Override
    public Amounts available(String node) {
        LedgerNodeUsage taken = usage.getOrDefault(node, LedgerNodeUsage.NONE);
        Amounts allocatable = cluster.node(node).map(Node::allocatable).orElse(Amounts.NONE);
        return allocatable.minus(taken.allocated()).minus(taken.reserved());
    }

    @Override
    public List<PodOnNode> occupants(String node) {
        return List.copyOf(occupants.getOrDefault(node, List.of()));
    }
}
