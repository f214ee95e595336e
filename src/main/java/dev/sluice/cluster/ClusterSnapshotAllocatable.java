package dev.sluice.cluster;

import dev.sluice.cluster.quantity.Amounts;
import dev.sluice.cluster.quantity.ResourceName;

/**
 * A summary of the Allocatable of one resource on a set of nodes.
 *
 * @param total the sum over all nodes
 * @param nodes the number of nodes that have any of the resource
 * @param largest the largest amount that one pod can use on a single node
 */
public record ClusterSnapshotAllocatable(long total, long nodes, long largest) {

    public static final ClusterSnapshotAllocatable NONE = new ClusterSnapshotAllocatable(0, 0, 0);

    /** Returns the summary of {@code count} nodes that have the same devices of this resource as {@code one}. */
    static ClusterSnapshotAllocatable of(Node one, ResourceName name, long count) {
        long each = one.allocatable().get(name);
        return each <= 0 || count == 0
                ? NONE
                : new ClusterSnapshotAllocatable(Amounts.saturatedProduct(each, count), count, one.mostForOnePod(name));
    }

    ClusterSnapshotAllocatable plus(ClusterSnapshotAllocatable other) {
        return new ClusterSnapshotAllocatable(
                Amounts.saturatedSum(total, other.total), nodes + other.nodes, Math.max(largest, other.largest));
    }
}
