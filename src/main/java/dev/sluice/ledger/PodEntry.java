package dev.sluice.ledger;

import dev.sluice.cluster.PodId;
import dev.sluice.cluster.quantity.Amounts;
import dev.sluice.ledger.placement.NodeUsage;
import dev.sluice.ledger.placement.Reservation;
import org.jspecify.annotations.Nullable;

/**
 * One pod: bound to a node, or with a reservation, or without both if its possible nodes are not known. There are as
 * many entries as pods, so each is as small as it can be. {@link PodEntries} owns them.
 */
final class PodEntry {

    final long high;
    final long low;
    /** The pod's resourceVersion. */
    long version;
    /** The number of the last list that mentioned it. */
    int list;

    /** The priority with which it counts on its node. */
    int priority;

    public Amounts requests;
    /** Null while it is not bound. */
    @Nullable
    public NodeUsage node;

    @Nullable
    public Reservation reservation;
    /** Null for bound pods without devices, because nobody asks for their names. */
    @Nullable
    public String name;

    PodEntry(PodId id, Amounts requests) {
        this.high = id.high();
        this.low = id.low();
        this.requests = requests;
    }

    boolean is(PodId id) {
        return high == id.high() && low == id.low();
    }
}
