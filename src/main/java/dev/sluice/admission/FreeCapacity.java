package dev.sluice.admission;

import dev.sluice.cluster.NodeConstraints;
import dev.sluice.cluster.PodPriority;
import dev.sluice.cluster.quantity.Amounts;
import dev.sluice.cluster.quantity.ResourceName;

/** Tells which amounts are free in the cluster now. Decisions in availability mode are based on these amounts. */
public interface FreeCapacity {

    /** A capacity in which nothing is free. It is used for decisions that do not depend on free amounts. */
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

    /** Returns true if the scheduler would place a pod with this need and these constraints on some node now. */
    boolean isFree(Amounts need, NodeConstraints constraints);

    /**
     * Returns true if {@link #isFree} would be true without the pods that a pod of this {@code priority} may preempt.
     */
    default boolean isPreemptible(Amounts need, NodeConstraints constraints, PodPriority priority) {
        return false;
    }

    /** Returns true if {@link #isFree} could become true once it is known which DRA devices are free. */
    default boolean mayBeFree(Amounts need, NodeConstraints constraints) {
        return false;
    }

    /**
     * Returns the number of free units of {@code device} on all nodes together. Messages contain this number. Cordoned
     * and tainted nodes are counted, as in {@link dev.sluice.cluster.ClusterSnapshot#allocatableOf(ResourceName)}.
     */
    long freeOf(ResourceName device);

    /** Returns true if it is unknown how many units of {@code device} are free, because DRA provides them. */
    default boolean isUncertain(ResourceName device) {
        return false;
    }

    /**
     * Returns the amounts of {@code device} on the nodes that would accept a pod with these constraints now. Messages
     * contain these amounts. Cordoned nodes are not counted.
     */
    default UsableDevices usableNow(ResourceName device, NodeConstraints constraints) {
        return UsableDevices.NONE;
    }

    /**
     * The devices of one resource on the nodes that a pod may use now.
     *
     * @param free the number of free devices on these nodes together
     * @param total the Allocatable of these nodes together
     * @param nodes the number of these nodes that have the resource in their Allocatable
     */
    record UsableDevices(long free, long total, long nodes) {
        static final UsableDevices NONE = new UsableDevices(0, 0, 0);
    }
}
