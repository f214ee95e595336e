package dev.sluice.admission;

import dev.sluice.cluster.NodeConstraints;
import dev.sluice.cluster.PodPriority;
import dev.sluice.cluster.quantity.Amounts;
import dev.sluice.cluster.quantity.ResourceName;

/** What is free now: how availability mode sees the cluster. */
public interface FreeCapacity {

    /** A cluster that is full, for decisions that do not look at what is free. */
    FreeCapacity NONE = new FreeCapacity() {
        @Override
        public boolean isFree(Amounts need, NodeConstraints constraints) {
            return false;
        }

        @Override
        public long freeOf(ResourceName device) {
            return 0;
        }
    };

    /** Some node has this much Available and the scheduler would place such a pod there now. */
    boolean isFree(Amounts need, NodeConstraints constraints);

    /** As {@link #isFree}, if all pods of lower priority that such a pod may preempt were gone. */
    default boolean isPreemptible(Amounts need, NodeConstraints constraints, PodPriority priority) {
        return false;
    }

    /**
     * How many of {@code device} are Available on all nodes together, for people to read: of the same nodes as
     * {@link dev.sluice.cluster.ClusterSnapshot#allocatableOf(ResourceName)}, cordoned or tainted ones among them.
     */
    long freeOf(ResourceName device);
}
