package dev.sluice.ledger;

import dev.sluice.cluster.Node;
import dev.sluice.cluster.NodeConstraints;
import dev.sluice.cluster.quantity.Amounts;
import dev.sluice.cluster.quantity.ResourceName;
import dev.sluice.ledger.placement.PlacementDemand;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Which decisions may be preempted for a pod of a namespace that has nothing, computed from the model: overdue ones,
 * and those that have more than their share. In these histories no two decisions that hold something are of one
 * namespace.
 */
final class FairModel {

    /** An assumed decision on a node that the preemptor may use. */
    private record PlacedDecision(String stamp, Amounts need, String node, boolean overdue, boolean retried) {}

    private final long[] need;
    private final Map<String, long[]> free = new HashMap<>();
    private final List<PlacedDecision> placed = new ArrayList<>();
    private final long[] pool = new long[Palette.NAMES.size()];

    /** {@code retried} are the namespaces that may have pods besides their decision. */
    FairModel(
            Ledger ledger,
            LedgerModel told,
            Amounts wanted,
            NodeConstraints constraints,
            Instant now,
            Set<String> retried) {
        this.need = Palette.vector(PlacementDemand.countable(wanted));
        Map<String, LedgerNodeUsage> usage = ledger.usage();
        for (Node node : told.nodes.values()) {
            if (constraints.presentRefusal(node).isEmpty()) {
                LedgerNodeUsage used = Objects.requireNonNull(usage.get(node.name()));
                Amounts left = node.allocatable().minus(used.allocated()).minus(used.reserved());
                LedgerModel.add(pool, PlacementDemand.countable(left));
                long[] vector = Palette.vector(left);
                if (!node.allocatable().has(ResourceName.PODS)) {
                    vector[Palette.PODS] = Integer.MAX_VALUE;
                }
                free.put(node.name(), vector);
            }
        }
        Map<String, LedgerPodUsage> podUsages = ledger.podUsages().stream()
                .filter(podUsage -> podUsage.tentative() != null)
                .collect(Collectors.toMap(LedgerPodUsage::pod, podUsage -> podUsage));
        told.assumedDemands().forEach((stamp, demand) -> {
            LedgerPodUsage podUsage = podUsages.get(demand.pod());
            String node = podUsage == null ? null : podUsage.tentative();
            if (node != null && free.containsKey(node)) {
                placed.add(new PlacedDecision(
                        stamp,
                        demand.need(),
                        node,
                        told.isOverdue(stamp, now),
                        retried.contains(told.namespace(stamp))));
                LedgerModel.add(pool, demand.need());
            }
        });
    }

    private long share(int resource) {
        long others = placed.stream()
                .filter(one -> Palette.vector(one.need())[resource] > 0)
                .count();
        return pool[resource] / (others + 1);
    }

    private boolean isAbove(PlacedDecision one, int resource) {
        return need[resource] > 0 && Palette.vector(one.need())[resource] > share(resource);
    }

    /** It may be one because of what it takes, or because that leaves no room for several such pods. */
    private boolean mayBeVictim(PlacedDecision one) {
        if (one.overdue()) {
            return true;
        }
        for (int i = 0; i < need.length; i++) {
            if (isAbove(one, i)) {
                return true;
            }
        }
        return slots() > 1;
    }

    /** For how many such pods there would be room without assumed decisions. */
    private long slots() {
        long slots = 0;
        for (String node : free.keySet()) {
            long[] left = Objects.requireNonNull(free.get(node)).clone();
            placed.stream().filter(one -> one.node().equals(node)).forEach(one -> LedgerModel.add(left, one.need()));
            long here = Long.MAX_VALUE;
            for (int i = 0; i < need.length; i++) {
                here = need[i] > 0 ? Math.min(here, Math.max(0, left[i]) / need[i]) : here;
            }
            slots += here;
        }
        return slots;
    }

    /** Whether none of these is protected by its share. */
    boolean mayBeVictims(Set<String> stamps) {
        Set<String> allowed = placed.stream()
                .filter(this::mayBeVictim)
                .map(PlacedDecision::stamp)
                .collect(Collectors.toSet());
        return allowed.containsAll(stamps);
    }

    /** Whether one decision is overdue or takes so much more than its share that the preemptor fits in its place. */
    boolean oneMustBeVictim() {
        return placed.stream().anyMatch(this::mustBeVictim);
    }

    private boolean mustBeVictim(PlacedDecision one) {
        long[] left = Objects.requireNonNull(free.get(one.node()));
        long[] theirs = Palette.vector(one.need());
        boolean above = one.overdue();
        for (int i = 0; i < need.length; i++) {
            boolean lacking = need[i] > 0 && left[i] < need[i];
            boolean due = one.overdue() || (!one.retried() && need[i] <= share(i));
            if (lacking && (!due || left[i] + theirs[i] < need[i])) {
                return false;
            }
            above |= lacking && isAbove(one, i);
        }
        return above;
    }
}
