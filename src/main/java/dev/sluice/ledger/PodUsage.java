package dev.sluice.ledger;

import dev.sluice.cluster.quantity.Amounts;
import dev.sluice.ledger.placement.NodeUsage;
import dev.sluice.ledger.placement.Reservation;
import org.jspecify.annotations.Nullable;

/**
 * What one pod takes.
 *
 * @param pod {@code namespace/name}
 * @param node the node to which it is bound; null while it is not
 * @param tentative the node on which it is expected until then; null while it is pending
 */
public record PodUsage(
        String pod, @Nullable String node, @Nullable String tentative, Amounts requests) {

    static PodUsage of(PodEntry entry, String name) {
        return entry.reservation == null
                ? new PodUsage(name, entry.node == null ? null : entry.node.name(), null, entry.requests)
                : of(entry.reservation);
    }

    static PodUsage of(Reservation reservation) {
        NodeUsage node = reservation.node();
        return new PodUsage(reservation.owner().name(), null, node == null ? null : node.name(), reservation.need());
    }
}
