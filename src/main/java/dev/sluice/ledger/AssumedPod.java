package dev.sluice.ledger;

import dev.sluice.ledger.placement.Reservation;
import dev.sluice.ledger.placement.ReservationOrigin;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** A decision about a pod that the watch has not shown yet. {@link AssumedPods} owns it. */
final class AssumedPod {

    private final String stamp;
    private final String namespace;
    private final ReservationOrigin origin;
    private final Reservation reservation;
    private final Instant assumedAt;
    private final long bytes;

    private boolean lapsed;
    /** True if another replica has made the decision. */
    private boolean followed;
    /** The batches of the pod's controller; null if the controller does not create pods in batches. */
    private @Nullable AssumedCreationBatches batches;

    AssumedPod(
            String stamp,
            String namespace,
            ReservationOrigin origin,
            Reservation reservation,
            Instant assumedAt,
            long bytes) {
        this.stamp = stamp;
        this.namespace = namespace;
        this.origin = origin;
        this.reservation = reservation;
        this.assumedAt = assumedAt;
        this.bytes = bytes;
    }

    String stamp() {
        return stamp;
    }

    String namespace() {
        return namespace;
    }

    ReservationOrigin origin() {
        return origin;
    }

    Reservation reservation() {
        return reservation;
    }

    Instant assumedAt() {
        return assumedAt;
    }

    long bytes() {
        return bytes;
    }

    /** Returns true if the watch should have shown the pod before {@code now}. */
    boolean isOverdue(Instant now) {
        return !assumedAt.plus(AssumedPods.USUAL_CREATE).isAfter(now);
    }

    /** Returns true if nothing is reserved for the pod any more, because a newer decision shows that it was refused. */
    boolean isLapsed() {
        return lapsed;
    }

    /**
     * Marks the decision as lapsed and revokes its promise of capacity. The caller must already have removed the
     * reservation from its node or queue.
     */
    void lapse() {
        lapsed = true;
        reservation.preempt();
    }

    boolean isFollowed() {
        return followed;
    }

    void follow() {
        followed = true;
    }

    void createdIn(AssumedCreationBatches creations) {
        batches = creations;
    }

    @Nullable
    AssumedCreationBatches batches() {
        return batches;
    }
}
