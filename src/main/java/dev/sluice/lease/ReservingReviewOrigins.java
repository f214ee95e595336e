package dev.sluice.lease;

import dev.sluice.bus.DecideRequest;
import dev.sluice.cluster.PodId;
import dev.sluice.ledger.placement.PlacementOrigin;
import dev.sluice.record.RecordedReviewHead.PodOwner;
import java.util.Set;

/** Determines from an admission review who creates the pod. */
final class ReservingReviewOrigins {

    private static final String GENERATED = "*";

    /**
     * The kinds of the built-in controllers that create pods without names in batches. StatefulSets are missing,
     * because their pods have names.
     */
    private static final Set<String> IN_BATCHES =
            Set.of("apps/v1/ReplicaSet", "v1/ReplicationController", "apps/v1/DaemonSet", "batch/v1/Job");

    private ReservingReviewOrigins() {}

    static PlacementOrigin of(DecideRequest request) {
        PodOwner owner = request.owner();
        String name = request.podName().endsWith(GENERATED) ? "" : request.podName();
        PodId uid = owner.uid().isEmpty() ? null : PodId.of(owner.uid());
        return IN_BATCHES.contains(owner.apiVersion() + "/" + owner.kind())
                ? PlacementOrigin.inBatches(name, uid)
                : PlacementOrigin.any(name, uid);
    }
}
