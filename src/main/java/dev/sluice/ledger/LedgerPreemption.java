package dev.sluice.ledger;

import dev.sluice.cluster.quantity.Amounts;
import dev.sluice.cluster.quantity.ResourceName;
import dev.sluice.ledger.placement.PlacementNodeUsage;
import dev.sluice.ledger.placement.PlacementReservation;
import dev.sluice.ledger.placement.PlacementReservation.ExpectedPod;
import dev.sluice.ledger.placement.PlacementReservations;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Chooses the reservations on a node that are preempted for another pod. Only namespaces above their fair share lose
 * reservations. The share is compared for each resource that is short on the node, and for the
 * {@link LedgerPreemptionSlots}.
 */
final class LedgerPreemption {

    /**
     * Compares sets of reservations to preempt, the best first: the set with fewer promises of capacity, then the
     * smaller set, then the set whose oldest reservation is newer.
     */
    static final Comparator<List<PlacementReservation>> COST = Comparator.comparingLong(LedgerPreemption::promises)
            .thenComparingInt(List::size)
            .thenComparingLong(victims -> -oldest(victims));

    private static final Comparator<PlacementReservation> FIRST =
            Comparator.comparing(PlacementReservation::isPromised).thenComparingLong(reservation -> -turn(reservation));

    /**
     * The pod for which other pods are preempted.
     *
     * @param due the resources that the pod's namespace is entitled to: even with {@code need}, the namespace uses no
     *     more than its share of them
     */
    record Preemptor(Amounts need, Set<ResourceName> due, LedgerPreemptionSlots slots) {}

    private final LedgerFairShares shares;
    private final Preemptor preemptor;
    private final Set<String> donors;

    /**
     * Prepares the choice for one preemptor.
     *
     * @param donors the namespaces whose reservations may be preempted
     */
    LedgerPreemption(LedgerFairShares shares, Preemptor preemptor, Set<String> donors) {
        this.shares = shares;
        this.preemptor = preemptor;
        this.donors = donors;
    }

    /**
     * Revokes the promise of capacity to the victims, places the preemptor, and then tries to place the victims on
     * other nodes.
     *
     * @return the stamps (identifiers) of the victims that the watch has not shown yet
     */
    public static List<String> preempt(
            List<PlacementReservation> victims, PlacementReservation preemptor, PlacementReservations reservations) {
        List<String> stamps = new ArrayList<>();
        Set<PlacementNodeUsage> left = new LinkedHashSet<>();
        for (PlacementReservation victim : victims) {
            PlacementNodeUsage before = victim.node();
            var _ = reservations.unplace(victim);
            victim.preempt();
            if (victim.owner() instanceof ExpectedPod expected) {
                stamps.add(expected.stamp());
            }
            if (before != null) {
                left.add(before);
            }
        }
        reservations.add(preemptor);
        victims.forEach(reservations::add);
        left.forEach(reservations::settle);
        return stamps;
    }

    /**
     * Revokes the promise of capacity for these reservations. Then places each of them again where it fits without the
     * preemption of other pods, or makes it pending.
     */
    static void giveWay(List<PlacementReservation> preemptors, PlacementReservations reservations) {
        reservations.together(preemptors, preemptor -> {
            PlacementNodeUsage before = preemptor.node();
            var _ = reservations.unplace(preemptor);
            preemptor.preempt();
            reservations.add(preemptor);
            if (before != null) {
                reservations.settle(before);
            }
        });
    }

    private static long promises(List<PlacementReservation> victims) {
        return victims.stream().filter(PlacementReservation::isPromised).count();
    }

    private static long oldest(List<PlacementReservation> victims) {
        return victims.stream().mapToLong(LedgerPreemption::turn).min().orElse(0);
    }

    private static long turn(PlacementReservation reservation) {
        return reservation.owner() instanceof ExpectedPod expected ? expected.turn() : 0;
    }

    /**
     * Returns the reservations to preempt on this node so that the preemptor has room. Reservations without promised
     * capacity are chosen first, and then the newest reservations. Returns empty if preemption does not make enough
     * room.
     */
    List<PlacementReservation> victimsOn(PlacementNodeUsage usage) {
        Set<ResourceName> lacking = lacking(usage);
        if (!preemptor.due().containsAll(lacking)) {
            return List.of();
        }
        List<PlacementReservation> candidates = new ArrayList<>(usage.reservations());
        candidates.sort(FIRST);
        Map<String, Amounts> taken = new HashMap<>();
        List<PlacementReservation> victims = new ArrayList<>();
        Amounts freed = Amounts.NONE;
        for (PlacementReservation candidate : candidates) {
            if (isVictim(candidate, lacking, taken)) {
                victims.add(candidate);
                freed = freed.plus(candidate.need());
                if (usage.coversWith(freed, preemptor.need())) {
                    return onlyNeeded(victims, freed, more -> usage.coversWith(more, preemptor.need()));
                }
            }
        }
        return List.of();
    }

    /** Returns the resources that are short on the node: less is free than the preemptor needs. */
    private Set<ResourceName> lacking(PlacementNodeUsage usage) {
        Set<ResourceName> lacking = new HashSet<>();
        usage.counted(preemptor.need()).forEach((name, amount) -> {
            if (amount > 0 && usage.free().get(name) < amount) {
                lacking.add(name);
            }
        });
        return lacking;
    }

    private boolean isVictim(PlacementReservation candidate, Set<ResourceName> lacking, Map<String, Amounts> taken) {
        if (!(candidate.owner() instanceof ExpectedPod expected)
                || !donors.contains(expected.namespace())
                || candidate.isPreemptor()) {
            return false;
        }
        String namespace = expected.namespace();
        Amounts before = taken.getOrDefault(namespace, Amounts.NONE);
        for (ResourceName name : lacking) {
            long left = shares.expected(namespace, name) - before.get(name);
            boolean above =
                    left > shares.share(namespace, name) || preemptor.slots().isAbove(namespace);
            if (candidate.need().get(name) > 0 && above) {
                taken.put(namespace, before.plus(candidate.need()));
                return true;
            }
        }
        return false;
    }

    /**
     * Leaves out the victims that need not be preempted, because there is room without them.
     *
     * @param all the sum of the amounts of the victims
     * @param hasRoom returns true if there is room when these amounts become free
     */
    static List<PlacementReservation> onlyNeeded(
            List<PlacementReservation> victims, Amounts all, Predicate<Amounts> hasRoom) {
        List<PlacementReservation> needed = new ArrayList<>(victims);
        Amounts freed = all;
        for (PlacementReservation victim : victims) {
            Amounts others = freed.minus(victim.need());
            if (hasRoom.test(others)) {
                needed.remove(victim);
                freed = others;
            }
        }
        return needed;
    }
}
