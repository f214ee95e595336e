package dev.sluice.cluster;

/**
 * Evidence that the cluster has GPUs, although no node offers any yet.
 *
 * @param kind the kind of the object that is the evidence, as in a sentence: {@code node}, {@code pod}
 * @param name the name of the object, with its namespace if it has one
 * @param told the rest of a sentence that begins with the object
 */
public record GpuEvidence(String kind, String name, String told) {

    private static final String NODE = "node";

    /** Returns the evidence that a node gives. */
    static GpuEvidence ofNode(String name, String told) {
        return new GpuEvidence(NODE, name, told);
    }

    /** Returns the evidence that a device plugin for GPUs gives. The plugin is a pod or a DaemonSet. */
    public static GpuEvidence ofPlugin(String kind, String fullName) {
        return new GpuEvidence(kind, fullName, "is a device plugin for GPUs and has registered none");
    }

    /** Returns the evidence as a sentence, in which a node has only its name. */
    public String sentence() {
        return kind.equals(NODE) ? name + " " + told : sentenceWithKind();
    }

    public String sentenceWithKind() {
        return kind + " " + name + " " + told;
    }
}
