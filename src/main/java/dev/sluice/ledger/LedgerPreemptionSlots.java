package dev.sluice.ledger;

import dev.sluice.cluster.quantity.Amounts;
import dev.sluice.ledger.placement.PlacementNodeUsage;
import dev.sluice.ledger.placement.PlacementReservation;
import dev.sluice.ledger.placement.PlacementReservation.ExpectedPod;
import java.util.HashMap;
import java.util.Map;

/**
 * Counts slots. A slot is room on one node for one pod with the requests of the preemptor, which is the pod for which
 * reservations are preempted. Slots show shortages that sums of free devices hide. For example, if one device of each
 * node is used, most devices are free, but no pod that needs a whole node fits.
 */
final class LedgerPreemptionSlots {

    private final Amounts need;
    /**
     * The number of slots that each namespace uses. A namespace with half of the reserved amount of a scarce resource
     * on a node uses half of the slots there. If several resources are scarce, the largest fraction counts.
     */
    private final Map<String, Double> taken = new HashMap<>();

    private final Map<String, Long> confirmed = new HashMap<>();
    private double all;
    private boolean due;

    LedgerPreemptionSlots(Amounts need) {
        this.need = need;
    }

    /**
     * Adds the slots of one node. Amounts in {@code others} count as free.
     *
     * @param others the amounts that namespaces other than the preemptor's have reserved on the node
     */
    void add(PlacementNodeUsage usage, String preemptor, Amounts others) {
        long here = times(usage.free().plus(others), usage.counted(need));
        all += here;
        for (PlacementReservation reservation : usage.reservations()) {
            if (reservation.owner() instanceof ExpectedPod expected
                    && !expected.namespace().equals(preemptor)
                    && !reservation.isPreemptor()) {
                taken.merge(expected.namespace(), here * part(reservation.need(), others, usage), Double::sum);
            }
        }
    }

    private double part(Amounts own, Amounts others, PlacementNodeUsage usage) {
        double[] largest = {0};
        need.forEach((name, amount) -> {
            if (usage.free().get(name) < amount && others.get(name) > 0) {
                largest[0] = Math.max(largest[0], own.get(name) / (double) others.get(name));
            }
        });
        return largest[0];
    }

    /** Sets the amounts that the recently confirmed pods of a namespace use. */
    void confirmed(String namespace, Amounts amounts) {
        confirmed.put(namespace, times(amounts, need));
    }

    /**
     * Adds the slots that the preemptor's namespace has reserved for pods that the watch has not shown yet. Also checks
     * whether this namespace stays within its share. The check needs all slots, so this method must be called last.
     */
    void preemptorHas(String preemptor, Amounts expected) {
        long mine = times(expected, need);
        all += mine;
        due = mine + confirmed.getOrDefault(preemptor, 0L) + 1 <= share(preemptor);
    }

    private double share(String namespace) {
        return (all + confirmed.getOrDefault(namespace, 0L)) / (taken.size() + 1);
    }

    /**
     * Returns true if this namespace uses more slots than its share, and the preemptor's namespace stays within its own
     * share.
     */
    boolean isAbove(String namespace) {
        return due && taken.getOrDefault(namespace, 0.0) > share(namespace);
    }

    double excess(String namespace) {
        return taken.getOrDefault(namespace, 0.0) / Math.max(1, share(namespace));
    }

    /** Returns the number of pods that fit into {@code amounts} if each pod needs {@code counted}. */
    private static long times(Amounts amounts, Amounts counted) {
        long[] least = {Long.MAX_VALUE};
        counted.forEach((name, amount) -> {
            if (amount > 0) {
                least[0] = Math.min(least[0], Math.max(0, amounts.get(name)) / amount);
            }
        });
        return least[0] == Long.MAX_VALUE ? 0 : least[0];
    }
}
