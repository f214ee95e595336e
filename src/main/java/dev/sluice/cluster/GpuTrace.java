package dev.sluice.cluster;

/**
 * What a node tells of GPUs that nobody offers yet.
 *
 * @param told completes a sentence that begins with the name of the node
 */
public record GpuTrace(String node, String told) {

    public String sentence() {
        return node + " " + told;
    }
}
