package dev.sluice.cluster;

import java.time.Instant;
import java.util.List;

/**
 * A change of pods. The resourceVersion is 0 where the source has none.
 *
 * <p>A complete list is published in pages between {@link ListBegun} and {@link ListEnded}, because a cluster has too
 * many pods to hold their list beside the ledger. A list that fails has no end; the next one begins anew.
 */
public sealed interface PodEvent extends ClusterEvent {

    /** Only pages follow until the list ends. */
    record ListBegun() implements PodEvent {}

    /** Pods of the list, which is of one moment. */
    record PodsPage(List<Pod> pods) implements PodEvent {
        public PodsPage {
            pods = List.copyOf(pods);
        }
    }

    /**
     * Pods that were in no page were deleted. Everything that was stored before {@code asOf} was published;
     * {@link Instant#MIN} where that is uncertain, because the list may be older than what it replaces.
     */
    record ListEnded(long resourceVersion, Instant asOf) implements PodEvent {}

    /** A pod was added or modified. */
    record PodSeen(Pod pod) implements PodEvent {}

    /**
     * A pod was deleted, or has ended ({@code Succeeded}, {@code Failed}) and holds nothing any more.
     *
     * @param name as in {@link Pod}
     * @param stamp as in {@link Pod}: this may be the first event of the pod
     */
    record PodRemoved(PodId id, String name, String stamp, long resourceVersion) implements PodEvent {

        public String namespace() {
            return Pod.namespaceOf(name);
        }
    }

    /** All changes of pods up to this version were published. */
    record PodsBookmark(long resourceVersion) implements PodEvent {}

    /**
     * All changes of pods that were stored before this moment of the gateway's clock were published. The proof is a
     * read of the API server that began then: the watch has passed its resourceVersion.
     */
    record PodsSyncedUpTo(Instant moment) implements PodEvent {}
}
