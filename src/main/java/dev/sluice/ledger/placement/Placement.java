package dev.sluice.ledger.placement;

/**
 * The state of a reservation: pending, or placed on a node. Each case has only the methods for changes that are allowed
 * in that state.
 */
sealed interface Placement {

    PlacementReservation reservation();

    /**
     * The reservation is not placed on a node. Its demand may change only in this state, because a node must release
     * the same amounts that were reserved on it.
     */
    record Pending(PlacementReservation reservation) implements Placement {

        public void resize(PlacementDemand demand) {
            reservation.resize(this, demand);
        }

        public void place(PlacementNodeUsage node) {
            reservation.assign(this, new Tentative(reservation, node));
        }

        /**
         * Places the reservation on its former node again, at its former position in the node's list of reservations.
         */
        public void restore(PlacementNodeUsage node, int position) {
            reservation.assign(this, new Tentative(reservation, node), position);
        }

        public void nominate(PlacementNodeUsage node) {
            reservation.assign(this, new Nominated(reservation, node));
        }

        /**
         * Places the reservation on a node where it fits after the preemption of all pods of lower priority. The caller
         * must have checked that it fits.
         */
        public void preempt(PlacementNodeUsage node) {
            reservation.assign(this, new Preempting(reservation, node));
        }
    }

    /** The reservation is placed on a node, and counts in the usage of this node only. */
    sealed interface Assigned extends Placement {
        PlacementNodeUsage node();
    }

    /** The reservation is placed on a node that had enough capacity for it. It may be moved to another node. */
    record Tentative(PlacementReservation reservation, PlacementNodeUsage node) implements Assigned {}

    /**
     * The reservation is placed on the node that the scheduler has nominated for the pod. It stays there even if the
     * node does not have enough capacity, because the scheduler is preempting other pods there.
     */
    record Nominated(PlacementReservation reservation, PlacementNodeUsage node) implements Assigned {}

    /**
     * The reservation is placed on a node where the scheduler can preempt pods of lower priority for it. It stays on
     * the node as long as it fits there together with the pods that it cannot preempt.
     */
    record Preempting(PlacementReservation reservation, PlacementNodeUsage node) implements Assigned {}
}
