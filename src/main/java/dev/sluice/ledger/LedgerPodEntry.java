package dev.sluice.ledger;

import dev.sluice.cluster.PodId;
import dev.sluice.cluster.quantity.Amounts;
import dev.sluice.ledger.placement.PlacementNodeUsage;
import dev.sluice.ledger.placement.PlacementReservation;
import org.jspecify.annotations.Nullable;

/**
 * A pod that exists. The entry has a node if the pod is bound, and a reservation if the pod is not bound. It has
 * neither if the pod's possible nodes are not known. There is one entry for each pod of the cluster, so the fields are
 * chosen to take little memory. {@link LedgerPodEntries} owns it.
 */
final class LedgerPodEntry {

    final long high;
    final long low;
    /** The pod's resourceVersion. */
    long version;
    /** The sequence number of the last list that contained the pod. */
    int list;

    /**
     * The priority of the pod; only valid if the pod is bound. A node adds up the requests of its bound pods by
     * priority.
     */
    int priority;

    public Amounts requests;
    /** The node of the pod; null if the pod is not bound. */
    @Nullable
    public PlacementNodeUsage node;

    @Nullable
    public PlacementReservation reservation;
    /** The name of the pod, to be shown to people. It is null for a bound pod without devices, which is never shown. */
    @Nullable
    public String name;

    LedgerPodEntry(PodId id, Amounts requests) {
        this.high = id.high();
        this.low = id.low();
        this.requests = requests;
    }

    boolean is(PodId id) {
        return high == id.high() && low == id.low();
    }
}
