package dev.sluice.cluster;

import java.time.Instant;
import java.util.List;

/**
 * A change of pods. The resourceVersion is 0 if the source does not have it.
 *
 * <p>A complete list is published in pages between {@link ListBegun} and {@link ListEnded}, because the list of a large
 * cluster would take too much memory. If a list fails, no {@link ListEnded} follows. The next list begins with a new
 * {@link ListBegun}.
 */
public sealed interface PodEvent extends ClusterEvent {

    /** A list begins. Until it ends, only pages follow. */
    record ListBegun() implements PodEvent {}

    /**
     * A page contains some pods of the current list. All pages of a list show the cluster at the same point in time.
     */
    record PodsPage(List<Pod> pods) implements PodEvent {
        public PodsPage {
            pods = List.copyOf(pods);
        }
    }

    /**
     * A list is complete. Pods that were in no page were deleted. The list includes everything that was stored before
     * {@code asOf}. {@link Instant#MIN} means that the list may be older than the state that it replaces.
     */
    record ListEnded(long resourceVersion, Instant asOf) implements PodEvent {}

    /** A pod was added or modified. */
    record PodSeen(Pod pod) implements PodEvent {}

    /**
     * A pod was deleted, or has reached a terminal phase ({@code Succeeded} or {@code Failed}) and no longer uses
     * resources.
     *
     * @param name as in {@link Pod}
     * @param stamp as in {@link Pod}. With the stamp, the ledger finds the decision even if it does not know the pod
     *     yet
     */
    record PodRemoved(PodId id, String name, String stamp, long resourceVersion) implements PodEvent {

        public String namespace() {
            return Pod.namespaceOf(name);
        }
    }

    /** All changes of pods up to this resourceVersion have been published. */
    record PodsBookmark(long resourceVersion) implements PodEvent {}

    /**
     * All changes of pods that were stored before this time of the gateway's clock have been published. At this time,
     * the gateway began to read a resourceVersion from the API server, and the watch has since reached it.
     */
    record PodsSyncedUpTo(Instant moment) implements PodEvent {}
}
