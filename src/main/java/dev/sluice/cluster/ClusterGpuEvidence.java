package dev.sluice.cluster;

/**
 * Evidence that the cluster has GPUs, although no node reports GPUs as a resource yet. The evidence is an object, such
 * as a node with a label of a GPU.
 *
 * @param kind the kind of the object as it is written in a sentence, such as {@code node} or {@code pod}
 * @param name the name of the object, with its namespace if it has one
 * @param told the rest of the sentence, which follows the kind and the name
 */
public record ClusterGpuEvidence(String kind, String name, String told) {

    private static final String NODE = "node";

    /** Creates evidence whose object is a node. */
    static ClusterGpuEvidence ofNode(String name, String told) {
        return new ClusterGpuEvidence(NODE, name, told);
    }

    /** Creates evidence whose object is a device plugin for GPUs: a pod or a DaemonSet. */
    public static ClusterGpuEvidence ofPlugin(String kind, String fullName) {
        return new ClusterGpuEvidence(kind, fullName, "is a device plugin for GPUs and has registered none");
    }

    /** Returns the evidence as a sentence. For a node, the sentence begins with the name; otherwise, with the kind. */
    public String sentence() {
        return kind.equals(NODE) ? name + " " + told : sentenceWithKind();
    }

    public String sentenceWithKind() {
        return kind + " " + name + " " + told;
    }
}
