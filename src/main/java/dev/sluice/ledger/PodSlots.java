package dev.sluice.ledger;

import dev.sluice.cluster.quantity.Amounts;
import dev.sluice.ledger.placement.NodeUsage;
import dev.sluice.ledger.placement.Reservation;
import dev.sluice.ledger.placement.Reservation.ExpectedPod;
import java.util.HashMap;
import java.util.Map;

/**
 * For how many pods such as the preemptor there would be room, and how much of it expected pods take. One device on
 * each of many nodes leaves no room for pods that need a whole node, though most devices are free.
 */
final class PodSlots {

    private final Amounts need;
    /**
     * The slots that each namespace takes. Its part of a node's slots is its part of the resource that is short there.
     */
    private final Map<String, Double> taken = new HashMap<>();

    private final Map<String, Long> confirmed = new HashMap<>();
    private double all;
    private boolean due;

    PodSlots(Amounts need) {
        this.need = need;
    }

    /** Counts the slots that a node would have if {@code others}, which other namespaces reserve there, were free. */
    void add(NodeUsage usage, String preemptor, Amounts others) {
        long here = times(usage.free().plus(others), usage.counted(need));
        all += here;
        for (Reservation reservation : usage.reservations()) {
            if (reservation.owner() instanceof ExpectedPod expected
                    && !expected.namespace().equals(preemptor)
                    && !reservation.isPreemptor()) {
                taken.merge(expected.namespace(), here * part(reservation.need(), others, usage), Double::sum);
            }
        }
    }

    private double part(Amounts own, Amounts others, NodeUsage usage) {
        double[] largest = {0};
        need.forEach((name, amount) -> {
            if (usage.free().get(name) < amount && others.get(name) > 0) {
                largest[0] = Math.max(largest[0], own.get(name) / (double) others.get(name));
            }
        });
        return largest[0];
    }

    /** What a namespace has by pods that were confirmed a moment ago. */
    void confirmed(String namespace, Amounts amounts) {
        confirmed.put(namespace, times(amounts, need));
    }

    /** What the preemptor's namespace has by expected pods; to be called last. */
    void preemptorHas(String preemptor, Amounts expected) {
        long mine = times(expected, need);
        all += mine;
        due = mine + confirmed.getOrDefault(preemptor, 0L) + 1 <= share(preemptor);
    }

    private double share(String namespace) {
        return (all + confirmed.getOrDefault(namespace, 0L)) / (taken.size() + 1);
    }

    /** Whether it takes more slots than its share, while the preemptor has less. */
    boolean isAbove(String namespace) {
        return due && taken.getOrDefault(namespace, 0.0) > share(namespace);
    }

    double excess(String namespace) {
        return taken.getOrDefault(namespace, 0.0) / Math.max(1, share(namespace));
    }

    /** For how many such pods {@code amounts} are enough. */
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
