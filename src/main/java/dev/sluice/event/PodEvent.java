package dev.sluice.event;

import dev.sluice.pod.Pod;
import dev.sluice.pod.PodId;
import java.time.Instant;
import java.util.List;

/**
 * What happened to pods. A resourceVersion of 0 means that the source gives none.
 *
 * <p>A complete list comes in pages between {@link ListBegun} and {@link ListEnded}, because a cluster has too many
 * pods to hold their list beside what is known of them. A list that fails is never ended; the next one begins anew.
 */
public sealed interface PodEvent extends ClusterEvent {

    /** Pages follow, and nothing else of pods until they end. */
    record ListBegun() implements PodEvent {}

    /** Pods of the list that has begun, each as it was at one moment for the whole list. */
    record PodsPage(List<Pod> pods) implements PodEvent {
        public PodsPage {
            pods = List.copyOf(pods);
        }
    }

    /**
     * What the pages did not mention is gone. Whatever was stored before {@code asOf} has now been told;
     * {@link Instant#MIN} where that is not sure, because the list may be older than what it replaces.
     */
    record ListEnded(long resourceVersion, Instant asOf) implements PodEvent {}

    /** A pod was added or changed. */
    record PodSeen(Pod pod) implements PodEvent {}

    /**
     * A pod is gone, or has ended ({@code Succeeded}, {@code Failed}) and holds nothing any more.
     *
     * @param name as in {@link ReadPod}
     * @param stamp as in {@link ReadPod}: this may be the first that is told of it
     */
    record PodRemoved(PodId id, String name, String stamp, long resourceVersion) implements PodEvent {

        public String namespace() {
            return Pod.namespaceOf(name);
        }
    }

    /** Every change of a pod up to this version has been told. */
    record PodsBookmark(long resourceVersion) implements PodEvent {}

    /**
     * Every change of a pod that was stored before this moment (of the gateway's own clock) has been told. The proof is
     * a read of the API server that began then: its resourceVersion has been passed by the watch.
     */
    record PodsSyncedUpTo(Instant moment) implements PodEvent {}
}
