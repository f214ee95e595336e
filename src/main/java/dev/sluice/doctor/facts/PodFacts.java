package dev.sluice.doctor.facts;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A pod.
 *
 * @param owner the controlling owner
 * @param nodeName empty while it is not bound
 * @param nominatedNode empty without a nomination
 * @param schedulers the values of {@code --scheduler-name} among the arguments
 * @param unscheduled the PodScheduled condition where it is not True
 * @param image of the first container, without the registry; empty for all pods but those of the software for GPUs
 * @param runtimeClass empty for the default runtime
 */
public record PodFacts(
        String name,
        String uid,
        PodGpuDemand ask,
        Optional<OwnerReference> owner,
        String nodeName,
        String nominatedNode,
        PodState state,
        Set<String> schedulers,
        @Nullable Message unscheduled,
        String image,
        String runtimeClass) {

    /** A sentence and when it was said; null where that is unknown. */
    public record Message(
            String reason, String text, @Nullable Instant time) {}

    public record OwnerReference(String kind, String name, String uid) {}

    /**
     * The parts of the status, and of a deletion.
     *
     * @param trouble why a container waits or the pod is not ready, in a few words; empty where nothing is known
     * @param endedWell all containers have ended with exit code 0
     * @param start what is known of the start of its containers
     */
    public record PodState(
            String phase,
            String reason,
            String message,
            boolean ready,
            String trouble,
            boolean endedWell,
            boolean terminating,
            List<String> finalizers,
            PodStart start) {}

    /**
     * How far a pod has come on its node.
     *
     * @param bound when it was bound; null where that is unknown
     * @param waiting the container that the trouble is about, as in {@code init container fetch}; empty without one
     * @param message what the kubelet says of it; empty where it says nothing
     * @param restarts of that container
     */
    public record PodStart(@Nullable Instant bound, String waiting, String message, long restarts) {}

    public String namespace() {
        return ask.namespace();
    }

    public String fullName() {
        return namespace() + "/" + name;
    }

    public boolean isBound() {
        return !nodeName.isEmpty();
    }

    public boolean hasEnded() {
        return state.phase().equals("Succeeded") || state.phase().equals("Failed");
    }

    /** The pod counts as a user of its node (the scheduler's pod informer). */
    public boolean holdsItsNode() {
        return isBound() && !hasEnded();
    }

    public boolean isRunningAndReady() {
        return state.phase().equals("Running") && state.ready();
    }
}
