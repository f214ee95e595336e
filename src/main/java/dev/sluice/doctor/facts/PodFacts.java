package dev.sluice.doctor.facts;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Describes a pod.
 *
 * @param ask the resources and constraints that the pod requests
 * @param owner the controlling owner; empty if the pod has none
 * @param nodeName the node that the pod is bound to; empty if the pod is not bound
 * @param nominatedNode the nominated node; empty if the pod has none
 * @param schedulers the values of {@code --scheduler-name} in the container arguments, which show that the pod runs a
 *     scheduler
 * @param unscheduled the PodScheduled condition; null if the condition is True or missing
 * @param image the image of the first container, without the registry; set only for pods of GPU software, otherwise
 *     empty
 * @param runtimeClass the runtimeClassName; empty for the default runtime
 * @param volumeClaims the names of the PersistentVolumeClaims that the pod uses
 */
public record PodFacts(
        String name,
        String uid,
        PodDemandFacts ask,
        Optional<OwnerReference> owner,
        String nodeName,
        String nominatedNode,
        PodState state,
        Set<String> schedulers,
        @Nullable Message unscheduled,
        String image,
        String runtimeClass,
        List<String> volumeClaims) {

    /**
     * Holds the message of a condition or event.
     *
     * @param time the time of the message; null if the time is unknown
     */
    public record Message(
            String reason, String text, @Nullable Instant time) {}

    public record OwnerReference(String kind, String name, String uid) {}

    /**
     * Holds the status of a pod, and the progress of a deletion.
     *
     * @param trouble the reason why a container waits or the pod is not ready, in a few words; empty if no reason is
     *     known
     * @param endedWell true if every container ended with exit code 0
     * @param endsBy the time when the grace period of a pod that is being deleted ends; null if it is not known
     * @param finalizers the finalizers of the pod
     * @param start the progress of the pod on its node
     */
    public record PodState(
            String phase,
            String reason,
            String message,
            boolean ready,
            String trouble,
            boolean endedWell,
            boolean terminating,
            @Nullable Instant endsBy,
            List<String> finalizers,
            PodStart start) {

        /** The reasons of the kubelet for a container that the runtime could not start. */
        public static final Set<String> NEVER_STARTED = Set.of("StartError", "ContainerCannotRun");

        /** The beginning of {@code trouble} if only a container without GPUs still runs in the pod. */
        public static final String LINGERS = "its containers with GPUs have ended, and what still runs is ";

        /**
         * The beginning of {@code trouble} if the main containers of the pod wait, because an init container has
         * failed.
         */
        public static final String INIT_ENDED = "its init container ";

        /**
         * The text of {@code trouble} if the pod is bound but the kubelet has reported no container of it. A kubelet
         * that knows a pod reports the containers before it starts them.
         */
        public static final String UNSEEN = "its kubelet has not reported it";
    }

    /**
     * Describes how far a pod has come on its node.
     *
     * @param bound the time when the pod was bound; null if the time is unknown. If the pod was created with its node
     *     name, this is the creation time until the kubelet reports the pod
     * @param failed the time when the pod failed; null if it has not failed or the time is unknown
     * @param waiting the container that waits, for example {@code init container fetch}; empty if no container waits
     * @param message the message of the kubelet about the waiting container; empty if there is none
     * @param lastEnd the result of the previous run of the waiting container, for example {@code exit code 137
     *     (OOMKilled)}; empty if there was no previous run
     * @param restarts the number of restarts of the waiting container
     */
    public record PodStart(
            @Nullable Instant bound,
            @Nullable Instant failed,
            String waiting,
            String message,
            String lastEnd,
            long restarts) {
        static final PodStart NONE = new PodStart(null, null, "", "", "", 0);
    }

    /**
     * Returns a copy with the resources that the pod uses on its node, but without constraints, messages and images.
     * The copy takes less memory.
     */
    public PodFacts withoutDetails() {
        PodState unknown = new PodState(
                state.phase(),
                "",
                "",
                state.ready(),
                "",
                state.endedWell(),
                state.terminating(),
                state.endsBy(),
                List.of(),
                PodStart.NONE);
        return new PodFacts(
                name,
                uid,
                ask.requestsOnly(),
                Optional.empty(),
                nodeName,
                "",
                unknown,
                Set.of(),
                null,
                "",
                "",
                List.of());
    }

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

    /**
     * Returns true if the resources of the node are still reserved for this pod, as in kube-scheduler: the pod is bound
     * and has not ended.
     */
    public boolean holdsItsNode() {
        return isBound() && !hasEnded();
    }

    public boolean isRunningAndReady() {
        return state.phase().equals("Running") && state.ready();
    }
}
