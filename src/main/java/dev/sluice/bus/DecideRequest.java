package dev.sluice.bus;

import dev.sluice.admission.request.NamespacePolicy;
import dev.sluice.admission.request.PodRequest;
import dev.sluice.record.RecordedReviewHead.PodOwner;

/**
 * Requests a decision about a pod.
 *
 * @param uid the uid of the review; if the API server repeats the call, the uid is the same
 * @param podName the pod's name, or its generateName followed by {@code *}
 * @param owner the controller of the pod, as the pod's metadata names it
 * @param policy the policy that was active when the review arrived
 * @param deadline the time after which nobody waits for the reply
 */
public record DecideRequest(
        String uid,
        String podName,
        PodOwner owner,
        ReviewEffect effect,
        PodRequest pod,
        NamespacePolicy policy,
        RequestDeadline deadline) {

    /** Whether the API server will create the pod. */
    public enum ReviewEffect {
        REAL,
        DRY_RUN
    }

    public String namespace() {
        return policy.namespace();
    }
}
