package dev.sluice.ledger.fairshare;

import dev.sluice.ledger.nodeindex.NodeUsage;
import dev.sluice.ledger.nodeindex.Reservation;
import dev.sluice.ledger.nodeindex.Reservation.ExpectedPod;
import dev.sluice.ledger.reservation.Reservations;
import dev.sluice.quantity.Amounts;
import dev.sluice.quantity.ResourceName;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Which decisions leave a node to a newcomer: those of namespaces that have more than their share of what is short. */
public final class Preemption {

    /** Fewer broken promises are better, then fewer decisions, then newer ones. */
    static final Comparator<List<Reservation>> COST = Comparator.comparingLong(Preemption::promises)
            .thenComparingInt(List::size)
            .thenComparingLong(leaving -> -oldest(leaving));

    private static final Comparator<Reservation> FIRST =
            Comparator.comparing(Reservation::isPromised).thenComparingLong(reservation -> -turn(reservation));

    /**
     * Who asks for room.
     *
     * @param due of these it has no more than its share with what it asks
     */
    record Preemptor(Amounts need, Set<ResourceName> due, PodSlots slots) {}

    private final FairShares shares;
    private final Preemptor preemptor;
    private final Amounts need;
    private final Set<String> donors;

    /** The {@code donors} are those who are asked to give way. */
    Preemption(FairShares shares, Preemptor newcomer, Set<String> donors) {
        this.shares = shares;
        this.preemptor = newcomer;
        this.need = newcomer.need();
        this.donors = donors;
    }

    /** {@code newcomer} gets what {@code leaving} leave; they go elsewhere, or wait without a promise. */
    public static void preempt(List<Reservation> leaving, Reservation newcomer, Reservations reservations) {
        Set<NodeUsage> left = new LinkedHashSet<>();
        for (Reservation one : leaving) {
            NodeUsage before = one.node();
            var _ = reservations.unplace(one);
            one.preempt();
            if (before != null) {
                left.add(before);
            }
        }
        reservations.add(newcomer);
        leaving.forEach(reservations::add);
        left.forEach(reservations::settle);
    }

    private static long promises(List<Reservation> leaving) {
        return leaving.stream().filter(Reservation::isPromised).count();
    }

    private static long oldest(List<Reservation> leaving) {
        return leaving.stream().mapToLong(Preemption::turn).min().orElse(0);
    }

    private static long turn(Reservation reservation) {
        return reservation.owner() instanceof ExpectedPod expected ? expected.turn() : 0;
    }

    /** Those without a promise first, then the newest; empty where they are not enough. */
    List<Reservation> victimsOn(NodeUsage usage) {
        Set<ResourceName> lacking = lacking(usage);
        if (!preemptor.due().containsAll(lacking)) {
            return List.of();
        }
        List<Reservation> candidates = new ArrayList<>(usage.reservations());
        candidates.sort(FIRST);
        Map<String, Amounts> given = new HashMap<>();
        List<Reservation> leaving = new ArrayList<>();
        Amounts theirs = Amounts.NONE;
        for (Reservation candidate : candidates) {
            if (isVictim(candidate, lacking, given)) {
                leaving.add(candidate);
                theirs = theirs.plus(candidate.need());
                if (usage.coversWith(theirs, need)) {
                    return withoutNeedless(leaving, theirs, usage);
                }
            }
        }
        return List.of();
    }

    /** What the newcomer needs and the node does not have. */
    private Set<ResourceName> lacking(NodeUsage usage) {
        Set<ResourceName> lacking = new HashSet<>();
        usage.counted(need).forEach((name, amount) -> {
            if (amount > 0 && usage.free().get(name) < amount) {
                lacking.add(name);
            }
        });
        return lacking;
    }

    private boolean isVictim(Reservation candidate, Set<ResourceName> lacking, Map<String, Amounts> given) {
        if (!(candidate.owner() instanceof ExpectedPod expected) || !donors.contains(expected.namespace())) {
            return false;
        }
        String namespace = expected.namespace();
        Amounts before = given.getOrDefault(namespace, Amounts.NONE);
        for (ResourceName name : lacking) {
            long left = shares.expected(namespace, name) - before.get(name);
            boolean above =
                    left > shares.share(namespace, name) || preemptor.slots().isAbove(namespace);
            if (candidate.need().get(name) > 0 && above) {
                given.put(namespace, before.plus(candidate.need()));
                return true;
            }
        }
        return false;
    }

    private List<Reservation> withoutNeedless(List<Reservation> leaving, Amounts all, NodeUsage usage) {
        List<Reservation> needed = new ArrayList<>(leaving);
        Amounts theirs = all;
        for (Reservation one : leaving) {
            Amounts others = theirs.minus(one.need());
            if (usage.coversWith(others, need)) {
                needed.remove(one);
                theirs = others;
            }
        }
        return needed;
    }
}
