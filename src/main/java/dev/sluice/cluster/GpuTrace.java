package dev.sluice.cluster;

/**
 * A sign that a node has GPUs, although no node offers any yet.
 *
 * @param told the rest of a sentence that begins with the name of the node
 */
public record GpuTrace(String node, String told) {

    public String sentence() {
        return node + " " + told;
    }
}
