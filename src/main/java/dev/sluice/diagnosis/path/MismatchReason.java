package dev.sluice.diagnosis.path;

/** What of a pod's constraints a node fails. */
public enum MismatchReason {
    TAINT("taint"),
    SELECTOR("selector"),
    AFFINITY("affinity"),
    POD_AFFINITY("podAffinity"),
    CORDON("cordon"),
    NOT_READY("notReady"),
    CPU("cpu"),
    MEMORY("memory"),
    PODS("pods"),
    RESOURCE("resource"),
    VOLUME("volume"),
    PORT("port");

    private final String word;

    MismatchReason(String word) {
        this.word = word;
    }

    public String word() {
        return word;
    }

    /** The node is not one of the pod's own: somebody decided that the pod, or any, shall not go there. */
    boolean isForeign() {
        return this == TAINT || this == SELECTOR || this == AFFINITY || this == CORDON;
    }
}
