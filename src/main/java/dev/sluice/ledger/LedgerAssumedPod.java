package dev.sluice.ledger;

import dev.sluice.ledger.placement.PlacementOrigin;
import dev.sluice.ledger.placement.PlacementReservation;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** A decision about a pod that the watch has not shown yet. {@link LedgerAssumedPods} owns it. */
final class LedgerAssumedPod {

    private final String stamp;
    private final String namespace;
    private final PlacementOrigin origin;
    private final PlacementReservation reservation;
    private final Instant assumedAt;
    private final long bytes;

    /** The time of the newest answer to the review of the pod. The API server repeats a review that got no answer. */
    private Instant answeredAt;

    private boolean lapsed;
    /** True if another replica has made the decision, and this replica only follows it. */
    private boolean followed;
    /** The batches of the pod's controller; null if the controller does not create pods in batches. */
    private @Nullable LedgerAssumedBatches batches;

    LedgerAssumedPod(
            String stamp,
            String namespace,
            PlacementOrigin origin,
            PlacementReservation reservation,
            Instant assumedAt,
            long bytes) {
        this.stamp = stamp;
        this.namespace = namespace;
        this.origin = origin;
        this.reservation = reservation;
        this.assumedAt = assumedAt;
        this.answeredAt = assumedAt;
        this.bytes = bytes;
    }

    String stamp() {
        return stamp;
    }

    String namespace() {
        return namespace;
    }

    PlacementOrigin origin() {
        return origin;
    }

    PlacementReservation reservation() {
        return reservation;
    }

    Instant assumedAt() {
        return assumedAt;
    }

    long bytes() {
        return bytes;
    }

    /** Records that the review of the pod was answered again at this time. */
    void answerAgain(Instant now) {
        answeredAt = now;
    }

    /** Returns true if the watch should have shown the pod before {@code now}. */
    boolean isOverdue(Instant now) {
        return isUsualTimeOver(answeredAt, now);
    }

    /**
     * Returns false if the pod is certainly not overdue. The result may be true for a pod that is not overdue, if its
     * review was answered again: only the time of the first answer is compared.
     */
    boolean mayBeOverdue(Instant now) {
        return isUsualTimeOver(assumedAt, now);
    }

    private static boolean isUsualTimeOver(Instant answered, Instant now) {
        return !answered.plus(LedgerAssumedPods.USUAL_CREATE).isAfter(now);
    }

    /**
     * Returns true if the answer is still valid: the decision has not lapsed, and its promise of capacity (if any) was
     * not revoked.
     */
    boolean isAsAnswered() {
        return !lapsed && reservation.promise() != PlacementReservation.Promise.GAVE_WAY;
    }

    /** Returns true if nothing is reserved for the pod any more, because a newer decision shows that it was refused. */
    boolean isLapsed() {
        return lapsed;
    }

    /**
     * Marks the decision as lapsed, because its pod was refused, and revokes its promise of capacity. The caller must
     * already have removed the reservation from its node or queue.
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

    void createdIn(LedgerAssumedBatches creations) {
        batches = creations;
    }

    @Nullable
    LedgerAssumedBatches batches() {
        return batches;
    }
}
