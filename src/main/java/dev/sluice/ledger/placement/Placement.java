package dev.sluice.ledger.placement;

/**
 * The state of a reservation: pending, or counted on a node. Each case has methods only for the moves that are legal
 * from it.
 */
sealed interface Placement {

    Reservation reservation();

    /**
     * The reservation counts on no node. Its demand may change only in this state: a node must release exactly the
     * amounts that were reserved on it.
     */
    record Pending(Reservation reservation) implements Placement {

        public void resize(PodDemand demand) {
            reservation.resize(this, demand);
        }

        public void place(NodeUsage node) {
            reservation.assign(this, new Tentative(reservation, node));
        }

        /** Places the reservation again at its former position among the reservations of the node. */
        public void restore(NodeUsage node, int position) {
            reservation.assign(this, new Tentative(reservation, node), position);
        }

        public void nominate(NodeUsage node) {
            reservation.assign(this, new Nominated(reservation, node));
        }

        /**
         * Places the reservation on a node that has room for it without its pods of lower priority. The caller checks
         * this.
         */
        public void preempt(NodeUsage node) {
            reservation.assign(this, new Preempting(reservation, node));
        }
    }

    /** The reservation counts on one node. */
    sealed interface Assigned extends Placement {
        NodeUsage node();
    }

    /** The reservation counts on a node that had room for it. It may be moved to another node. */
    record Tentative(Reservation reservation, NodeUsage node) implements Assigned {}

    /**
     * The reservation counts on the node that the scheduler has nominated for the pod. It stays there even without
     * room, because the scheduler is preempting other pods there.
     */
    record Nominated(Reservation reservation, NodeUsage node) implements Assigned {}

    /**
     * The reservation has a higher priority than other pods on this node, which the scheduler can preempt for it. It
     * stays as long as it has room beside the pods that it cannot preempt.
     */
    record Preempting(Reservation reservation, NodeUsage node) implements Assigned {}
}
