package dev.sluice.ledger.placement;

/** Where a reservation counts. Each case offers the moves that are legal from it. */
sealed interface Placement {

    Reservation reservation();

    /** It counts on no node. Only now its demand may change, because a node must release what was reserved on it. */
    record Pending(Reservation reservation) implements Placement {

        public void resize(PodDemand demand) {
            reservation.resize(this, demand);
        }

        public void place(NodeUsage node) {
            reservation.assign(this, new Tentative(reservation, node));
        }

        /** Places it at the position among the reservations of the node that it had before. */
        public void restore(NodeUsage node, int position) {
            reservation.assign(this, new Tentative(reservation, node), position);
        }

        public void nominate(NodeUsage node) {
            reservation.assign(this, new Nominated(reservation, node));
        }

        /** To be called if the node has room without pods of lower priority. */
        public void preempt(NodeUsage node) {
            reservation.assign(this, new Preempting(reservation, node));
        }

        public void overcommit(NodeUsage node) {
            reservation.assign(this, new Overcommitted(reservation, node));
        }
    }

    /** It counts on one node. */
    sealed interface Assigned extends Placement {
        NodeUsage node();
    }

    /** The node had room for it, and it may be moved to another node. */
    record Tentative(Reservation reservation, NodeUsage node) implements Assigned {}

    /** The scheduler preempts pods for it on this node, so that it stays there even while there is no room. */
    record Nominated(Reservation reservation, NodeUsage node) implements Assigned {}

    /**
     * It has a higher priority than others on this node, which the scheduler can preempt for it. It stays there as long
     * as it has room beside those that it cannot preempt.
     */
    record Preempting(Reservation reservation, NodeUsage node) implements Assigned {}

    /** The pod was resized after its decision, and no node had room for it then; so it stays where it was. */
    record Overcommitted(Reservation reservation, NodeUsage node) implements Assigned {

        /** Whether the node has room for it by now. */
        public boolean fits() {
            return !node.usesOvercommitted(reservation.need()) && node.admits(reservation.constraints());
        }

        /** To be called when it {@link #fits()}. */
        public void settle() {
            reservation.become(this, new Tentative(reservation, node));
        }
    }
}
