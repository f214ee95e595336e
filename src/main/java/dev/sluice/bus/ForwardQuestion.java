package dev.sluice.bus;

import dev.sluice.replication.Member;
import io.vertx.core.buffer.Buffer;

/**
 * Asks another replica to answer a review.
 *
 * @param holder the replica that decides
 * @param review the AdmissionReview as the API server sent it
 * @param deadline the time after which nobody waits for the reply
 */
public record ForwardQuestion(Member holder, Buffer review, BusRequestDeadline deadline) {}
