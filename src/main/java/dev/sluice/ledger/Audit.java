package dev.sluice.ledger;

import dev.sluice.ledger.nodeindex.NodeIndex;
import dev.sluice.ledger.nodeindex.NodeUsage;
import dev.sluice.ledger.nodeindex.PodDemand;
import dev.sluice.ledger.nodeindex.Reservation;
import dev.sluice.ledger.podentry.PodEntries;
import dev.sluice.pod.Pod;
import dev.sluice.quantity.Amounts;
import java.util.HashMap;
import java.util.Map;

/** Adds up the pods of a list, to be compared with the ledger. */
final class Audit {

    private final Map<String, Amounts> allocated = new HashMap<>();
    private long pods;

    void add(Pod pod) {
        switch (pod.place()) {
            case Pod.Place.Bound(String node) -> {
                pods++;
                allocated.merge(node, PodDemand.countable(pod.requests()), Amounts::plus);
            }
            case Pod.Place.Unbound _, Pod.Place.UnknownPlace _ -> pods++;
            case Pod.Place.Gated _ -> {}
        }
    }

    LedgerStatistics.AuditDifference against(NodeIndex index, PodEntries entries) {
        long nodes = 0;
        long places = 0;
        for (NodeUsage usage : index.usages()) {
            Amounts expected = allocated.getOrDefault(usage.name(), Amounts.NONE);
            nodes += expected.minus(usage.allocated()).isZero() ? 0 : 1;
            places += sum(usage).minus(usage.reserved()).isZero() ? 0 : 1;
        }
        // Nothing is Allocated on a node without usage.
        nodes += allocated.keySet().stream()
                .filter(name -> !index.contains(name))
                .count();
        return new LedgerStatistics.AuditDifference(Math.abs(pods - entries.size()), nodes, places);
    }

    private static Amounts sum(NodeUsage usage) {
        Amounts sum = Amounts.NONE;
        for (Reservation reservation : usage.reservations()) {
            sum = sum.plus(reservation.need());
        }
        return sum;
    }
}
