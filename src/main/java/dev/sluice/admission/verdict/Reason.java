package dev.sluice.admission.verdict;

/** The reason of a verdict: a closed list of stable words, the same in log, metric, audit annotation and API. */
public enum Reason {
    /** A node offers everything that was asked for. */
    OFFERED("Offered"),
    /** No node that the pod could use offers what was asked. */
    NOT_OFFERED("NotOffered"),
    /** Availability mode: it is offered, but no node that would take the pod now has it free. */
    EXHAUSTED("Exhausted"),
    /** No node has any GPU resource. */
    NO_GPU_IN_CLUSTER("NoGpuInCluster"),
    /** Nothing in the chain is offered either, and the policy keeps such pods. */
    KEPT_AS_WRITTEN("KeptAsWritten"),
    /** What the pod asks for is not there now, and the policy keeps pods with scheduling gates. */
    GATED("Gated"),
    /** The pod asks for nothing that the policy calls a GPU, but for something that has a rule of injection. */
    INJECTED("Injected"),
    /** The pod cannot be given the CPU and memory that go with its GPUs. */
    INJECTION_REFUSED("InjectionRefused"),
    /** The API server will refuse the pod for fractions, negative numbers, or requests that differ from limits. */
    INVALID_QUANTITY("InvalidQuantity"),
    /** The chains of the pod's resources allow more combinations than are tried. */
    TOO_MANY_COMBINATIONS("TooManyCombinations"),
    /** The object of the review is not a pod that can be read. */
    MALFORMED_POD("MalformedPod"),
    /** The node constraints of the pod go beyond what is evaluated. */
    CANNOT_BE_EVALUATED("CannotBeEvaluated"),
    /** The pod would not be legal after the patch. */
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
