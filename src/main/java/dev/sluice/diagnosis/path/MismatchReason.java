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

    private static final int FOREIGN = TAINT.bit() | SELECTOR.bit() | AFFINITY.bit() | CORDON.bit();

    private final String word;

    MismatchReason(String word) {
        this.word = word;
    }

    public String word() {
        return word;
    }

    /** Reasons together are the bits of a number. */
    int bit() {
        return 1 << compareTo(TAINT);
    }

    /** The node is not one of the pod's own: somebody decided that the pod, or any, shall not go there. */
    static boolean areForeign(int reasons) {
        return (reasons & FOREIGN) != 0;
    }
}
