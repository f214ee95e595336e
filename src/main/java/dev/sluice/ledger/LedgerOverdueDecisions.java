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

/**
 * Finds overdue decisions whose reservations can be released to make room for another pod. A decision is overdue if the
 * watch should have shown its pod by now. The pod was then probably refused. Therefore the reservations of overdue
 * decisions, in any namespace, are released before those of all other decisions. The result is valid until the ledger
 * changes.
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
     * node.
     */
    List<PlacementReservation> victims(Amounts need) {
        List<PlacementReservation> best = List.of();
        for (Map.Entry<PlacementNodeUsage, List<PlacementReservation>> node : byNode.entrySet()) {
            List<PlacementReservation> victims = victimsOn(node.getKey(), node.getValue(), need);
            best = !victims.isEmpty() && (best.isEmpty() || cost.compare(victims, best) < 0) ? victims : best;
        }
        return best;
    }

    /**
     * Chooses the reservations to release on one node, in this order: first those whose pods have the same owner as the
     * pod that needs room, then those without promised capacity, then the oldest.
     */
    private List<PlacementReservation> victimsOn(
            PlacementNodeUsage usage, List<PlacementReservation> overdue, Amounts need) {
        List<PlacementReservation> candidates = new ArrayList<>(overdue);
        candidates.sort(Comparator.comparing((PlacementReservation one) -> !own.contains(one))
                .thenComparing(PlacementReservation::isPromised));
        List<PlacementReservation> victims = new ArrayList<>();
        Amounts freed = Amounts.NONE;
        for (PlacementReservation candidate : candidates) {
            victims.add(candidate);
            freed = freed.plus(candidate.need());
            if (usage.coversWith(freed, need)) {
                return LedgerPreemption.onlyNeeded(victims, freed, usage, need);
            }
        }
        return priority.preempts() ? victimsBesidePreempted(usage, candidates, need) : List.of();
    }

    /**
     * Chooses the reservations to release on one node if the pod also needs what pods of lower priority hold there. The
     * scheduler then preempts these pods.
     */
    private List<PlacementReservation> victimsBesidePreempted(
            PlacementNodeUsage usage, List<PlacementReservation> candidates, Amounts need) {
        List<PlacementReservation> victims = new ArrayList<>();
        Amounts freed = Amounts.NONE;
        for (PlacementReservation candidate : candidates) {
            // Reservations of lower priority count as free for the pod in any case.
            if (candidate.demand().priority().value() >= priority.value()) {
                victims.add(candidate);
                freed = freed.plus(candidate.need());
                if (usage.coversForWith(priority.value(), freed, need)) {
                    return victims;
                }
            }
        }
        return List.of();
    }
}
