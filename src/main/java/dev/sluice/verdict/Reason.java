package dev.sluice.verdict;

/** Why a verdict is as it is: a closed list of stable words, the same in log, metric, audit annotation and API. */
public enum Reason {
    /** All that was asked is offered. */
    OFFERED("Offered"),
    /** No node that the pod could use offers what was asked. */
    NOT_OFFERED("NotOffered"),
    /** Availability mode: it is offered, but no node that would take the pod now has room for it. */
    EXHAUSTED("Exhausted"),
    /** No node has any GPU resource. */
    NO_GPU_IN_CLUSTER("NoGpuInCluster"),
    /** Nothing in the chain is offered either, and the policy keeps such pods. */
    KEPT_AS_WRITTEN("KeptAsWritten"),
    /** No GPU resource is asked, by the names of the policy, but something that rules of injection speak of. */
    INJECTED("Injected"),
    /** The pod cannot be given what belongs to its GPUs. */
    INJECTION_REFUSED("InjectionRefused"),
    /** Fractions, negative numbers, or requests that differ from limits: the API server will refuse the pod. */
    INVALID_QUANTITY("InvalidQuantity"),
    /** The chains of the pod's resources allow more combinations than are tried. */
    TOO_MANY_COMBINATIONS("TooManyCombinations"),
    /** The object of the review is no pod that can be read. */
    MALFORMED_POD("MalformedPod"),
    /** Where the pod may run goes beyond what is evaluated. */
    CANNOT_BE_EVALUATED("CannotBeEvaluated"),
    /** The pod that the patch would have made is not a legal one. */
    PATCH_NOT_LEGAL("PatchNotLegal"),
    /** A fault of the gateway itself. */
    INTERNAL_FAULT("InternalFault");

    private final String word;

    Reason(String word) {
        this.word = word;
    }

    public String word() {
        return word;
    }
}
