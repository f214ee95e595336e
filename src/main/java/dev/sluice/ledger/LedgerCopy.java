package dev.sluice.ledger;

import dev.sluice.cluster.NodeConstraints;
import dev.sluice.cluster.Pod;
import dev.sluice.cluster.PodId;
import dev.sluice.cluster.PodPriority;
import dev.sluice.cluster.quantity.Amounts;
import dev.sluice.ledger.placement.PlacementNodeUsage;
import dev.sluice.ledger.placement.PlacementReservation;
import dev.sluice.ledger.placement.PlacementReservation.ExpectedPod;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Collects pods that use the same resources as the pods and the decisions of a ledger. Another ledger with these pods
 * and the same nodes has the same free resources, so it can explain decisions on another thread. Reservations without a
 * node use nothing and are left out.
 */
final class LedgerCopy {

    /** The name of the pod that stands for all pods without devices on a node. */
    static final String WITHOUT_DEVICES = "/pods without devices";

    /** The name of a pod that the watch has not shown yet. It follows the namespace of the pod. */
    static final String EXPECTED = "/a new pod";

    private record NodePriority(PlacementNodeUsage node, int priority) {}

    private final List<Pod> pods = new ArrayList<>();
    private final Map<NodePriority, Amounts> withoutDevices = new HashMap<>();

    void add(LedgerPodEntry entry) {
        PodId id = new PodId(entry.high, entry.low);
        if (entry.reservation != null) {
            reserved(id, entry.reservation).ifPresent(pods::add);
        } else if (entry.node != null && entry.name != null) {
            pods.add(bound(id, entry.name, entry.node, entry.priority, entry.requests));
        } else if (entry.node != null) {
            withoutDevices.merge(new NodePriority(entry.node, entry.priority), entry.requests, Amounts::plus);
        }
    }

    void add(PlacementReservation decision) {
        reserved(PodId.of(decision.owner().toString()), decision).ifPresent(pods::add);
    }

    List<Pod> pods() {
        List<Pod> all = new ArrayList<>(pods);
        withoutDevices.forEach((use, requests) -> all.add(bound(
                PodId.of(use.node().name() + WITHOUT_DEVICES + use.priority()),
                WITHOUT_DEVICES,
                use.node(),
                use.priority(),
                requests)));
        return all;
    }

    private static Pod bound(PodId id, String name, PlacementNodeUsage node, int priority, Amounts requests) {
        return new Pod(
                id,
                name,
                new Pod.Place.Bound(node.name()),
                requests,
                /* stamp= */ "",
                /* resourceVersion= */ 0,
                /* created= */ "",
                new PodPriority(priority, /* preempts= */ false));
    }

    /**
     * Returns a pod with the resources of a reservation; empty if the reservation has no node. The node becomes the
     * nominated node of the pod, so that another ledger places the pod there, too.
     */
    private static Optional<Pod> reserved(PodId id, PlacementReservation reservation) {
        PlacementNodeUsage node = reservation.node();
        String name = reservation.owner() instanceof ExpectedPod expected
                ? expected.namespace() + EXPECTED
                : reservation.owner().name();
        return node == null
                ? Optional.empty()
                : Optional.of(new Pod(
                        id,
                        name,
                        new Pod.Place.Unbound(NodeConstraints.onNode(node.name()), node.name()),
                        reservation.need(),
                        /* stamp= */ "",
                        /* resourceVersion= */ 0,
                        /* created= */ "",
                        reservation.demand().priority()));
    }
}
