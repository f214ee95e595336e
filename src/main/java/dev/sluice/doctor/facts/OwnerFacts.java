package dev.sluice.doctor.facts;

import org.jspecify.annotations.Nullable;

/**
 * Describes a ReplicaSet, Job, StatefulSet or DaemonSet.
 *
 * @param kind the kind as in the API, for example {@code ReplicaSet}
 * @param wanted the number of pods that the owner should have now
 * @param reported the number of pods that the status of the owner reports
 * @param ordered true if the owner creates a pod only after the previous pod is ready
 * @param suspended true if the owner is an unfinished Job that is suspended, so it wants no pod
 * @param queue the Kueue queue of the owner; empty if the owner has none
 * @param failure the ReplicaFailure condition; null if the condition is not True
 */
public record OwnerFacts(
        String kind,
        String name,
        String uid,
        long wanted,
        long reported,
        boolean ordered,
        boolean suspended,
        String queue,
        PodDemandFacts template,
        PodFacts.@Nullable Message failure) {

    /** The label by which Kueue finds the queue of a Job or pod. */
    public static final String QUEUE_LABEL = "kueue.x-k8s.io/queue-name";

    public String namespace() {
        return template.namespace();
    }
}
