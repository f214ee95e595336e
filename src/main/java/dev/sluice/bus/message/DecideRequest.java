package dev.sluice.bus.message;

import dev.sluice.policy.NamespacePolicy;
import dev.sluice.request.PodRequest;

/**
 * What is to become of a pod?
 *
 * @param uid of the review; the API server repeats it when it repeats a call
 * @param podName as far as it is known
 * @param policy by which the decision has begun
 * @param deadline after which nobody waits for the answer any more
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
