package dev.sluice.ledger;

import dev.sluice.ledger.nodeindex.PodDemand;
import dev.sluice.node.Node;
import dev.sluice.quantity.Amounts;
import dev.sluice.quantity.ResourceName;
import dev.sluice.scheduling.NodeConstraints;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Who may have to give way to a newcomer that has nothing yet, reckoned anew from what was told: in these histories
 * each decision is one of a namespace of its own, so that nobody speaks for anybody.
 */
final class FairModel {

    /** A decision without a pod that stands somewhere the newcomer may go. */
    private record Standing(String stamp, Amounts need, String node) {}

    private final long[] need;
    private final Map<String, long[]> free = new HashMap<>();
    private final List<Standing> standing = new ArrayList<>();
    private final long[] pool = new long[Palette.NAMES.size()];

    FairModel(Ledger ledger, Told told, Amounts wanted, NodeConstraints constraints) {
        this.need = Palette.vector(PodDemand.countable(wanted));
        Map<String, Usage> usage = ledger.usage();
        for (Node node : told.nodes.values()) {
            if (constraints.presentRefusal(node).isEmpty()) {
                Usage used = Objects.requireNonNull(usage.get(node.name()));
                Amounts left = node.allocatable().minus(used.allocated()).minus(used.reserved());
                Told.add(pool, PodDemand.countable(left));
                long[] vector = Palette.vector(left);
                if (!node.allocatable().has(ResourceName.PODS)) {
                    vector[Palette.PODS] = Integer.MAX_VALUE;
                }
                free.put(node.name(), vector);
            }
        }
        Map<String, PodUsage> holders = ledger.podUsages().stream()
                .filter(holder -> holder.tentative() != null)
                .collect(Collectors.toMap(PodUsage::pod, holder -> holder));
        told.unseenDemands().forEach((stamp, demand) -> {
            PodUsage holder = holders.get(demand.holder());
            String node = holder == null ? null : holder.tentative();
            if (node != null && free.containsKey(node)) {
                standing.add(new Standing(stamp, demand.need(), node));
                Told.add(pool, demand.need());
            }
        });
    }

    private long share(int resource) {
        long others = standing.stream()
                .filter(one -> Palette.vector(one.need())[resource] > 0)
                .count();
        return pool[resource] / (others + 1);
    }

    private boolean isAbove(Standing one, int resource) {
        return need[resource] > 0 && Palette.vector(one.need())[resource] > share(resource);
    }

    /**
     * By what it holds; or because what it holds closes places for several such pods, which it need not share alone.
     */
    private boolean mayLeave(Standing one) {
        for (int i = 0; i < need.length; i++) {
            if (isAbove(one, i)) {
                return true;
            }
        }
        return places() > 1;
    }

    /** For how many such pods there would be room if nobody stood there without a pod. */
    private long places() {
        long places = 0;
        for (String node : free.keySet()) {
            long[] left = Objects.requireNonNull(free.get(node)).clone();
            standing.stream().filter(one -> one.node().equals(node)).forEach(one -> Told.add(left, one.need()));
            long here = Long.MAX_VALUE;
            for (int i = 0; i < need.length; i++) {
                here = need[i] > 0 ? Math.min(here, Math.max(0, left[i]) / need[i]) : here;
            }
            places += here;
        }
        return places;
    }

    /** Nobody else was made to. */
    boolean mayHaveLeft(Set<String> stamps) {
        Set<String> allowed =
                standing.stream().filter(this::mayLeave).map(Standing::stamp).collect(Collectors.toSet());
        return allowed.containsAll(stamps);
    }

    /** One alone has so much more than its share that the newcomer fits where it stands. */
    boolean oneMustLeave() {
        return standing.stream().anyMatch(this::mustLeave);
    }

    private boolean mustLeave(Standing one) {
        long[] left = Objects.requireNonNull(free.get(one.node()));
        long[] theirs = Palette.vector(one.need());
        boolean above = false;
        for (int i = 0; i < need.length; i++) {
            boolean lacking = need[i] > 0 && left[i] < need[i];
            if (lacking && (need[i] > share(i) || left[i] + theirs[i] < need[i])) {
                return false;
            }
            above |= lacking && isAbove(one, i);
        }
        return above;
    }
}
