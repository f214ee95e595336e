package dev.sluice.doctor.facts;

import org.jspecify.annotations.Nullable;

/**
 * A ReplicaSet, Job, StatefulSet or DaemonSet.
 *
 * @param kind as in the API
 * @param wanted the pods that there should be now
 * @param reported the pods that there are by its status
 * @param ordered the next pod is created only once the one before is ready
 * @param failure the condition ReplicaFailure where it is True
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
