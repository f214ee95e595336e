package dev.sluice.doctor.facts;

import org.jspecify.annotations.Nullable;

/**
 * Describes a ReplicaSet, Job, StatefulSet or DaemonSet.
 *
 * @param kind the kind as in the API, for example {@code ReplicaSet}
 * @param wanted the number of pods that the owner should have now
 * @param reported the number of pods that the status of the owner reports
 * @param ordered true if the owner creates a pod only after the previous pod is ready
 * @param failure the ReplicaFailure condition; null if the condition is not True
 */
public record OwnerFacts(
        String kind,
        String name,
        String uid,
        long wanted,
        long reported,
        boolean ordered,
        PodGpuDemand template,
        PodFacts.@Nullable Message failure) {

    public String namespace() {
        return template.namespace();
    }
}
