package dev.sluice.bus;

import io.vertx.core.buffer.Buffer;

/**
 * A review that another replica has forwarded to this one. This replica answers or refuses the review, and never
 * forwards it again.
 *
 * @param deadline the time after which nobody waits for the reply
 */
public record ForwardedReviewQuestion(Buffer review, BusRequestDeadline deadline) {

    /**
     * The reply to a forwarded review.
     *
     * @param status the HTTP status; 421 if this replica does not hold the lease
     */
    public record PeerReviewReply(int status, String contentType, Buffer body) {}
}
