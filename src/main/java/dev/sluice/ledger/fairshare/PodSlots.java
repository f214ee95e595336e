package dev.sluice.ledger.fairshare;

import dev.sluice.ledger.nodeindex.NodeUsage;
import dev.sluice.ledger.nodeindex.Reservation;
import dev.sluice.ledger.nodeindex.Reservation.ExpectedPod;
import dev.sluice.quantity.Amounts;
import java.util.HashMap;
import java.util.Map;

/**
 * Places for whole pods such as a newcomer's, that are taken by decisions of which no pod was seen. One device on each
 * of many nodes leaves no place to those who need a whole node, though most devices are free.
 */
final class PodSlots {

    private final Amounts need;
    /** By namespace; where several are on a node, each by what it has there of what is lacking. */
    private final Map<String, Double> taken = new HashMap<>();

    private final Map<String, Long> confirmed = new HashMap<>();
    private double all;
    private boolean due;

    PodSlots(Amounts need) {
        this.need = need;
    }

    /** A node that has room for such a pod once what {@code others} than the newcomer have there is gone. */
    void add(NodeUsage usage, String newcomer, Amounts others) {
        long here = times(usage.free().plus(others), usage.counted(need));
        all += here;
        for (Reservation reservation : usage.reservations()) {
            if (reservation.owner() instanceof ExpectedPod expected
                    && !expected.namespace().equals(newcomer)) {
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

    /** What a namespace has by pods that came a moment ago. */
    void confirmed(String namespace, Amounts amounts) {
        confirmed.put(namespace, times(amounts, need));
    }

    /** To be told last: what the newcomer's namespace has by decisions without a pod. */
    void preemptorHas(String newcomer, Amounts unseen) {
        long mine = times(unseen, need);
        all += mine;
        due = mine + confirmed.getOrDefault(newcomer, 0L) + 1 <= share(newcomer);
    }

    private double share(String namespace) {
        return (all + confirmed.getOrDefault(namespace, 0L)) / (taken.size() + 1);
    }

    /** It takes more of them than its share, while the newcomer has less. */
    boolean isAbove(String namespace) {
        return due && taken.getOrDefault(namespace, 0.0) > share(namespace);
    }

    double excess(String namespace) {
        return taken.getOrDefault(namespace, 0.0) / Math.max(1, share(namespace));
    }

    /** How many such pods {@code amounts} are enough for. */
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
