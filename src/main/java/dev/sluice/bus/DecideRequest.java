package dev.sluice.bus;

import dev.sluice.admission.request.NamespacePolicy;
import dev.sluice.admission.request.PodRequest;

/**
 * Asks for a decision about a pod.
 *
 * @param uid the uid of the review, which the API server repeats when it repeats a call
 * @param podName the name as far as it is known
 * @param policy the policy that was active when the review came
 * @param deadline after which nobody waits for the reply
 */
public record DecideRequest(
        String uid, String podName, ReviewEffect effect, PodRequest pod, NamespacePolicy policy, Deadline deadline) {

    /** Whether the pod is to be created. */
    public enum ReviewEffect {
        REAL,
        DRY_RUN
    }

    public String namespace() {
        return policy.namespace();
    }
}
