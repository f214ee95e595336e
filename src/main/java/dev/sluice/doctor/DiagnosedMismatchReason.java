package dev.sluice.doctor;

/** Lists the constraints of a pod that a node can fail to meet. */
enum DiagnosedMismatchReason {
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
    PORT("port"),
    PLUGIN("plugin");

    private static final int FOREIGN = TAINT.bit() | SELECTOR.bit() | AFFINITY.bit() | CORDON.bit();

    private final String word;

    DiagnosedMismatchReason(String word) {
        this.word = word;
    }

    String word() {
        return word;
    }

    /** Returns the bit of this reason. A set of reasons is an {@code int} with these bits. */
    int bit() {
        return 1 << compareTo(TAINT);
    }

    /**
     * Returns true if one of the reasons is a taint, the node selector, node affinity or a cordon. A node with such a
     * reason is not intended for the pod.
     */
    static boolean areForeign(int reasons) {
        return (reasons & FOREIGN) != 0;
    }
}
