package dev.sluice.admission.verdict;

/**
 * The reason of a verdict. The words never change: the log, the metrics, the audit annotations and the API use them.
 */
public enum Reason {
    /** A node offers everything that the pod requests. */
    OFFERED("Offered"),
    /** No node that the pod may use offers the requested resources. */
    NOT_OFFERED("NotOffered"),
    /**
     * The requested resources are offered, but they are not free on any node that would accept the pod now. Only used
     * in availability mode.
     */
    EXHAUSTED("Exhausted"),
    /** No node has any GPU resource. */
    NO_GPU_IN_CLUSTER("NoGpuInCluster"),
    /** No node offers the requested resource or a fallback, and the policy keeps such pods as written. */
    KEPT_AS_WRITTEN("KeptAsWritten"),
    /**
     * The requested resources are not available now. The pod has scheduling gates, and the policy leaves such pods
     * unchanged.
     */
    GATED("Gated"),
    /** The policy treats no resource of the pod as a GPU, but there is an injection rule for one of its resources. */
    INJECTED("Injected"),
    /** The injection rules refuse the pod. */
    INJECTION_REFUSED("InjectionRefused"),
    /**
     * The API server will refuse the pod because of a quantity: a fraction, a negative number, a request that differs
     * from its limit, or a GPU in {@code spec.resources} of the pod.
     */
    INVALID_QUANTITY("InvalidQuantity"),
    /** The fallback chains of the pod's resources have more combinations than Sluice tries. */
    TOO_MANY_COMBINATIONS("TooManyCombinations"),
    /** The object of the review is not a pod, or it cannot be decoded. */
    MALFORMED_POD("MalformedPod"),
    /** The node constraints of the pod are too complex to be evaluated. */
    CANNOT_BE_EVALUATED("CannotBeEvaluated"),
    /** The pod would be invalid after the patch. */
    PATCH_NOT_LEGAL("PatchNotLegal"),
    /**
     * No decision was possible at that time, and the policy only observes. If the policy were enforced, the review
     * would be refused so that the client repeats it.
     */
    NOT_DECIDED("NotDecided"),
    /** The gateway has failed because of an error in its own code. */
    INTERNAL_FAULT("InternalFault");

    private final String word;

    Reason(String word) {
        this.word = word;
    }

    public String word() {
        return word;
    }
}
