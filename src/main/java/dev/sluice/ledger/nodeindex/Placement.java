package dev.sluice.ledger.nodeindex;

/** Where a reservation counts. Each case offers the moves that are legal from it. */
public sealed interface Placement {

    Reservation reservation();

    /** The pod is on no node. Only now its demand may change, because a node counts it as it was when it came. */
    record Pending(Reservation reservation) implements Placement {

        public void resize(PodDemand demand) {
            reservation.resize(this, demand);
        }

        public void place(NodeUsage node) {
            restore(node, node.reservations().size());
        }

        /** Places it at the position among the reservations of the node that it had before. */
        public void restore(NodeUsage node, int position) {
            reservation.assign(this, new Tentative(reservation, node), position);
        }

        public void nominate(NodeUsage node) {
            reservation.assign(
                    this, new Nominated(reservation, node), node.reservations().size());
        }

        public void overcommit(NodeUsage node) {
            reservation.assign(
                    this,
                    new Overcommitted(reservation, node),
                    node.reservations().size());
        }
    }

    /** The pod counts on one node. */
    sealed interface Assigned extends Placement {
        NodeUsage node();
    }

    /** The node has room for the pod, and the pod may be moved to another one. */
    record Tentative(Reservation reservation, NodeUsage node) implements Assigned {}

    /** The scheduler makes room on the node, so that the pod stays there even while there is none. */
    record Nominated(Reservation reservation, NodeUsage node) implements Assigned {}

    /** The pod was resized after its decision, and neither its node nor any other has room for it. */
    record Overcommitted(Reservation reservation, NodeUsage node) implements Assigned {

        /** The node has enough for all pods on it by now, and admits this one. */
        public boolean fits() {
            return !node.usesOvercommitted(reservation.need()) && node.admits(reservation.constraints());
        }

        /** To be called when it {@link #fits()}. */
        public void settle() {
            reservation.become(this, new Tentative(reservation, node));
        }
    }
}
