package dev.sluice.ledger;

import dev.sluice.ledger.placement.PodOrigin;
import dev.sluice.ledger.placement.Reservation;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** One decision whose pod was not seen yet. {@link AssumedPods} owns it. */
final class AssumedPod {

    private final String stamp;
    private final String namespace;
    private final PodOrigin origin;
    private final Reservation reservation;
    private final Instant assumedAt;
    private final long bytes;
    /** When the webhook was asked about the pod last. */
    private Instant askedAt;

    private boolean lapsed;
    /** Null for pods that no controller creates in batches. */
    private @Nullable CreationBatches batches;

    AssumedPod(
            String stamp, String namespace, PodOrigin origin, Reservation reservation, Instant assumedAt, long bytes) {
        this.stamp = stamp;
        this.namespace = namespace;
        this.origin = origin;
        this.reservation = reservation;
        this.assumedAt = assumedAt;
        this.askedAt = assumedAt;
        this.bytes = bytes;
    }

    String stamp() {
        return stamp;
    }

    String namespace() {
        return namespace;
    }

    PodOrigin origin() {
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

    /** The webhook was invoked again for this pod, so the API server is still creating it. */
    void askedAgain(Instant now) {
        askedAt = now;
        lapsed = false;
    }

    /** Whether its pod should have been seen by now. */
    boolean isOverdue(Instant now) {
        return !askedAt.plus(AssumedPods.USUAL_CREATE).isAfter(now);
    }

    /** Whether nothing is reserved for it any more, because a newer decision shows that its pod was refused. */
    boolean isLapsed() {
        return lapsed;
    }

    /** To be called after its reservation was removed. */
    void lapse() {
        lapsed = true;
        reservation.preempt();
    }

    void createdIn(CreationBatches creations) {
        batches = creations;
    }

    @Nullable
    CreationBatches batches() {
        return batches;
    }
}
