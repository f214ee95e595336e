package dev.sluice.ledger.podentry;

import dev.sluice.ledger.nodeindex.NodeUsage;
import dev.sluice.ledger.nodeindex.Reservation;
import dev.sluice.pod.PodId;
import dev.sluice.quantity.Amounts;
import org.jspecify.annotations.Nullable;

/**
 * One pod that holds something: a node's resources when it is bound, a reservation when it is not. There are as many as
 * the cluster has pods, so it is as small as it can be; {@link Pods} is its only owner.
 */
public final class PodEntry {

    final long high;
    final long low;
    /** The pod's resourceVersion. */
    long version;
    /** The list that mentioned it last. */
    int list;

    public Amounts requests;
    /** Where it is bound; null while it is not. */
    @Nullable
    public NodeUsage node;

    @Nullable
    public Reservation reservation;
    /** Kept of pods that hold devices, for people who demand who does; null for others. */
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
