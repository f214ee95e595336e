package dev.sluice.bus;

import dev.sluice.admission.request.NamespacePolicy;
import dev.sluice.admission.request.PodRequest;
import dev.sluice.record.RecordedReviewHead.PodOwner;

/**
 * Requests a decision about a pod.
 *
 * @param uid the uid of the review; if the API server repeats the call, the uid is the same
 * @param podName the pod's name, or its generateName followed by {@code *}
 * @param owner the controller of the pod, according to the metadata of the pod
 * @param policy the policy that was active when the review arrived
 * @param deadline the time after which the gateway no longer waits for the reply
 */
public record DecideRequest(
        String uid,
        String podName,
        PodOwner owner,
        ReviewEffect effect,
        PodRequest pod,
        NamespacePolicy policy,
        BusRequestDeadline deadline) {

    /** Says what the API server does with the pod of the review. */
    public enum ReviewEffect {
        /** The API server creates or refuses the pod, as the verdict says. */
        REAL,
        /** The review belongs to a dry run, so the API server creates no pod. */
        DRY_RUN,
        /**
         * The policy only observes, so the API server creates the pod unchanged. Nothing is reserved. Therefore any
         * replica may decide, even a replica that does not know the newest reservations.
         */
        OBSERVED
    }

    public String namespace() {
        return policy.namespace();
    }
}
