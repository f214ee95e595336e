package dev.sluice.bus;

import io.vertx.core.buffer.Buffer;

/**
 * A review that another replica has forwarded to this one. It is answered here or not at all.
 *
 * @param deadline the time after which nobody waits for the reply
 */
public record PeerReview(Buffer review, RequestDeadline deadline) {

    /**
     * The reply.
     *
     * @param status the HTTP status; 421 if this replica does not hold the lease
     */
    public record PeerReviewReply(int status, String contentType, Buffer body) {}
}
