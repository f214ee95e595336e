package dev.sluice.ledger;

import dev.sluice.cluster.Pod;
import dev.sluice.cluster.quantity.Amounts;
import dev.sluice.ledger.placement.PlacementDemand;
import dev.sluice.ledger.placement.PlacementNodeIndex;
import dev.sluice.ledger.placement.PlacementNodeUsage;
import dev.sluice.ledger.placement.PlacementReservation;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Compares the ledger with the pods of a complete list, to find errors in the ledger. */
final class LedgerAudit {

    private final Map<String, Amounts> allocated = new HashMap<>();
    private long pods;

    void add(Pod pod) {
        switch (pod.place()) {
            case Pod.Place.Bound(String node) -> {
                pods++;
                allocated.merge(node, PlacementDemand.countable(pod.requests()), Amounts::plus);
            }
            case Pod.Place.Unbound _, Pod.Place.UnknownPlace _ -> pods++;
            case Pod.Place.Gated _ -> {}
        }
    }

    Comparison against(PlacementNodeIndex index, LedgerPodEntries entries) {
        return new Comparison(index, entries);
    }

    /**
     * Compares the ledger with the list in small steps. Between the steps, reservations may change, but no bound pod
     * may be added or removed.
     */
    final class Comparison {

        private final PlacementNodeIndex index;
        private final LedgerPodEntries entries;
        /** The nodes that are still to be compared. It is null before the first step. */
        private @Nullable Iterator<PlacementNodeUsage> left;

        private long differentNodes;
        private long differentPlaces;

        private Comparison(PlacementNodeIndex index, LedgerPodEntries entries) {
            this.index = index;
            this.entries = entries;
        }

        /** Compares the next {@code most} nodes. Returns true once all nodes are compared. */
        boolean proceed(int most) {
            Iterator<PlacementNodeUsage> next = left;
            if (next == null) {
                // These nodes have pods in the list, but the ledger does not know the nodes.
                differentNodes = allocated.keySet().stream()
                        .filter(name -> !index.contains(name))
                        .count();
                next = List.copyOf(index.usages()).iterator();
                left = next;
            }
            for (int i = 0; i < most && next.hasNext(); i++) {
                compare(next.next());
            }
            return !next.hasNext();
        }

        private void compare(PlacementNodeUsage usage) {
            Amounts expected = allocated.getOrDefault(usage.name(), Amounts.NONE);
            differentNodes += expected.minus(usage.allocated()).isZero() ? 0 : 1;
            differentPlaces += sum(usage).minus(usage.reserved()).isZero() ? 0 : 1;
        }

        LedgerStatistics.AuditDifference difference() {
            return new LedgerStatistics.AuditDifference(
                    Math.abs(pods - entries.size()), differentNodes, differentPlaces);
        }
    }

    private static Amounts sum(PlacementNodeUsage usage) {
        Amounts sum = Amounts.NONE;
        for (PlacementReservation reservation : usage.reservations()) {
            sum = sum.plus(reservation.need());
        }
        return sum;
    }
}
