package dev.sluice.ledger;

import dev.sluice.cluster.quantity.Amounts;
import dev.sluice.ledger.placement.PlacementNodeUsage;
import dev.sluice.ledger.placement.PlacementReservation;
import org.jspecify.annotations.Nullable;

/**
 * The resources that one pod uses.
 *
 * @param pod the pod as {@code namespace/name}
 * @param node the node to which the pod is bound; null if it is not bound
 * @param tentative the node on which the reservation of the pod is placed; null if the pod is bound or its reservation
 *     is pending
 */
public record LedgerPodUsage(
        String pod, @Nullable String node, @Nullable String tentative, Amounts requests) {

    static LedgerPodUsage of(LedgerPodEntry entry, String name) {
        return entry.reservation == null
                ? new LedgerPodUsage(name, entry.node == null ? null : entry.node.name(), null, entry.requests)
                : of(entry.reservation);
    }

    static LedgerPodUsage of(PlacementReservation reservation) {
        PlacementNodeUsage node = reservation.node();
        return new LedgerPodUsage(
                reservation.owner().name(), null, node == null ? null : node.name(), reservation.need());
    }
}
