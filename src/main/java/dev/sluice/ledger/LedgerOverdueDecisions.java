package dev.sluice.ledger;

import dev.sluice.cluster.PodPriority;
import dev.sluice.cluster.quantity.Amounts;
import dev.sluice.ledger.placement.PlacementNodeIndex;
import dev.sluice.ledger.placement.PlacementNodeUsage;
import dev.sluice.ledger.placement.PlacementRequest;
import dev.sluice.ledger.placement.PlacementReservation;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.BiPredicate;
import java.util.function.Predicate;

/**
 * Finds overdue decisions whose reservations can be released to make room for another pod. A decision is overdue if the
 * watch should have shown its pod by now. Its pod was probably refused, so its reservation is released before all
 * others, in any namespace. The result is valid until the ledger changes.
 */
final class LedgerOverdueDecisions {

    private final Map<PlacementNodeUsage, List<PlacementReservation>> byNode = new HashMap<>();
    /** The overdue reservations whose pods have the same owner as the pod that needs room. */
    private final Set<PlacementReservation> own = new HashSet<>();

    private final PodPriority priority;

    private final Comparator<List<PlacementReservation>> cost =
            Comparator.comparingLong(this::foreign).thenComparing(LedgerPreemption.COST);

    LedgerOverdueDecisions(PlacementNodeIndex index, List<LedgerAssumedPod> overdue, PlacementRequest preemptor) {
        priority = preemptor.priority();
        for (LedgerAssumedPod pod : overdue) {
            PlacementNodeUsage usage = pod.reservation().node();
            if (usage != null && !pod.reservation().isPreemptor() && index.admits(usage, preemptor.constraints())) {
                byNode.computeIfAbsent(usage, _ -> new ArrayList<>()).add(pod.reservation());
                if (isOfSameOwner(pod, preemptor)) {
                    own.add(pod.reservation());
                }
            }
        }
    }

    private static boolean isOfSameOwner(LedgerAssumedPod pod, PlacementRequest preemptor) {
        return pod.origin().owner() != null
                && Objects.equals(pod.origin().owner(), preemptor.origin().owner())
                && pod.namespace().equals(preemptor.namespace());
    }

    private long foreign(List<PlacementReservation> victims) {
        return victims.stream().filter(victim -> !own.contains(victim)).count();
    }

    /**
     * Returns reservations on one node whose preemption makes room for {@code need} there; empty if there is no such
     * node. First, nodes are tried where the scheduler need not preempt pods of lower priority.
     */
    List<PlacementReservation> victims(Amounts need) {
        List<PlacementReservation> victims = cheapest(_ -> true, (usage, freed) -> usage.coversWith(freed, need));
        return victims.isEmpty() && priority.preempts()
                // Reservations of lower priority need not be chosen, because their amounts count as free for the pod.
                ? cheapest(
                        candidate -> candidate.demand().priority().value() >= priority.value(),
                        (usage, freed) -> usage.coversForWith(priority.value(), freed, need))
                : victims;
    }

    /**
     * Returns the victims on the node where the preemption costs least; empty if no node has room.
     *
     * @param mayBeVictim returns true for each reservation that may be chosen
     * @param hasRoom returns true if the node has room for the pod when these amounts become free
     */
    private List<PlacementReservation> cheapest(
            Predicate<PlacementReservation> mayBeVictim, BiPredicate<PlacementNodeUsage, Amounts> hasRoom) {
        List<PlacementReservation> best = List.of();
        for (Map.Entry<PlacementNodeUsage, List<PlacementReservation>> node : byNode.entrySet()) {
            List<PlacementReservation> victims = victimsOf(
                    node.getValue().stream().filter(mayBeVictim).toList(), freed -> hasRoom.test(node.getKey(), freed));
            best = !victims.isEmpty() && (best.isEmpty() || cost.compare(victims, best) < 0) ? victims : best;
        }
        return best;
    }

    /**
     * Chooses the reservations to release on one node. Those whose pods have the same owner as the pod that needs room
     * come first, then those without promised capacity, then the oldest.
     */
    private List<PlacementReservation> victimsOf(List<PlacementReservation> overdue, Predicate<Amounts> hasRoom) {
        List<PlacementReservation> candidates = new ArrayList<>(overdue);
        candidates.sort(Comparator.comparing((PlacementReservation one) -> !own.contains(one))
                .thenComparing(PlacementReservation::isPromised));
        List<PlacementReservation> victims = new ArrayList<>();
        Amounts freed = Amounts.NONE;
        for (PlacementReservation candidate : candidates) {
            victims.add(candidate);
            freed = freed.plus(candidate.need());
            if (hasRoom.test(freed)) {
                return LedgerPreemption.onlyNeeded(victims, freed, hasRoom);
            }
        }
        return List.of();
    }
}
