package dev.sluice.cli;

import dev.sluice.admission.Occupancy;
import dev.sluice.cluster.Amounts;
import dev.sluice.cluster.ClusterSnapshot;
import dev.sluice.cluster.Node;
import dev.sluice.cluster.NodeConstraints;
import dev.sluice.cluster.ResourceName;
import dev.sluice.ledger.Holder;
import dev.sluice.ledger.Ledger;
import dev.sluice.ledger.Usage;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** A ledger that nothing more is told to, as explanations read it. */
final class LedgerOccupancy implements Occupancy {

    private final Ledger ledger;
    private final ClusterSnapshot cluster;
    private final Map<String, Usage> usage;
    private final Map<String, List<Occupant>> occupants = new HashMap<>();

    LedgerOccupancy(Ledger ledger) {
        this.ledger = ledger;
        this.cluster = ledger.snapshot();
        this.usage = ledger.usage();
        ledger.holders().stream().sorted(Comparator.comparing(Holder::pod)).forEach(this::add);
    }

    private void add(Holder holder) {
        String node = holder.node();
        String place = node == null ? holder.tentative() : node;
        if (place != null) {
            occupants
                    .computeIfAbsent(place, _ -> new ArrayList<>())
                    .add(new Occupant(holder.pod(), node == null ? State.EXPECTED : State.BOUND, holder.requests()));
        }
    }

    ClusterSnapshot cluster() {
        return cluster;
    }

    @Override
    public boolean isFree(Amounts need, NodeConstraints constraints) {
        return ledger.isFree(need, constraints);
    }

    @Override
    public long freeOf(ResourceName device) {
        return ledger.freeOf(device);
    }

    @Override
    public Amounts available(String node) {
        Usage taken = usage.getOrDefault(node, Usage.NONE);
        Amounts allocatable = cluster.node(node).map(Node::allocatable).orElse(Amounts.NONE);
        return allocatable.minus(taken.allocated()).minus(taken.reserved());
    }

    @Override
    public List<Occupant> occupants(String node) {
        return List.copyOf(occupants.getOrDefault(node, List.of()));
    }
}
