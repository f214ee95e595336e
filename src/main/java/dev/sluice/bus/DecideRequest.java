package dev.sluice.bus;

import dev.sluice.admission.request.NamespacePolicy;
import dev.sluice.admission.request.PodRequest;
import dev.sluice.record.ReviewHead.PodOwner;

/**
 * Asks for a decision about a pod.
 *
 * @param uid the uid of the review, which the API server repeats when it repeats a call
 * @param podName the pod's name, or its generateName followed by {@code *}
 * @param owner who controls the pod, by its own word
 * @param policy the policy that was active when the review came
 * @param deadline after which nobody waits for the reply
 */
public record DecideRequest(
        String uid,
        String podName,
        PodOwner owner,
        ReviewEffect effect,
        PodRequest pod,
        NamespacePolicy policy,
        Deadline deadline) {

    /** Whether the pod is to be created. */
    public enum ReviewEffect {
        REAL,
        DRY_RUN
    }

    public String namespace() {
        return policy.namespace();
    }
}
