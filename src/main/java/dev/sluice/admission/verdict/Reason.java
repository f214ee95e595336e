package dev.sluice.admission.verdict;

/**
 * The reason of a verdict. The list is complete, and the words never change: the log, metrics, audit annotations and
 * the API use the same ones.
 */
public enum Reason {
    /** A node offers everything that the pod requests. */
    OFFERED("Offered"),
    /** No node that the pod may use offers the requested resources. */
    NOT_OFFERED("NotOffered"),
    /**
     * The requested resources are offered, but no node that would accept the pod now has them free. Only used in
     * availability mode.
     */
    EXHAUSTED("Exhausted"),
    /** No node has any GPU resource. */
    NO_GPU_IN_CLUSTER("NoGpuInCluster"),
    /** No candidate is offered, and the policy keeps such pods as written. */
    KEPT_AS_WRITTEN("KeptAsWritten"),
    /** The requested resources are not available now, and the policy keeps pods with scheduling gates as written. */
    GATED("Gated"),
    /**
     * The pod requests no resource that the policy treats as a GPU, but there is a rule of injection for one of its
     * resources.
     */
    INJECTED("Injected"),
    /** Injection cannot add the resources for the pod's GPUs. */
    INJECTION_REFUSED("InjectionRefused"),
    /**
     * The API server will refuse the pod because of a fraction, a negative number, or a request that differs from its
     * limit.
     */
    INVALID_QUANTITY("InvalidQuantity"),
    /** The fallback chains of the pod's resources result in more combinations than Sluice tries. */
    TOO_MANY_COMBINATIONS("TooManyCombinations"),
    /** The object of the review is not a pod, or it cannot be read. */
    MALFORMED_POD("MalformedPod"),
    /** The node constraints of the pod are too complex to be evaluated. */
    CANNOT_BE_EVALUATED("CannotBeEvaluated"),
    /** The pod would be invalid after the patch. */
    PATCH_NOT_LEGAL("PatchNotLegal"),
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
