package dev.sluice.doctor;

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

    /** True if a taint, the selector, node affinity or a cordon keeps the pod off: the node is not meant for it. */
    static boolean areForeign(int reasons) {
        return (reasons & FOREIGN) != 0;
    }
}
