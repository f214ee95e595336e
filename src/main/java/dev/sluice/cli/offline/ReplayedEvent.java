package dev.sluice.cli.offline;

import dev.sluice.cluster.Pod;
import java.time.Instant;

/** The creation or the end of a pod in the past. */
sealed interface ReplayedEvent permits ReplayedCreation, ReplayedEvent.PodUndecided, ReplayedEvent.PodEnd {

    Instant at();

    /**
     * A GPU pod was created, and it uses resources of its node. The API server never asks Sluice about this pod.
     *
     * @param name {@code namespace/name}
     */
    record PodUndecided(Instant at, String name, Pod bound) implements ReplayedEvent {}

    /**
     * A pod has ended, and uses no resources any more.
     *
     * @param said the time of the request that ended the pod. If a pod of this name was created later, it is another
     *     pod
     * @param name {@code namespace/name}
     */
    record PodEnd(Instant at, Instant said, String name) implements ReplayedEvent {}
}
