package dev.sluice.management;

import dev.sluice.api.DocumentResponse;
import dev.sluice.api.FleetDocuments;
import dev.sluice.log.StackTraceLimit;
import io.vertx.core.eventbus.ReplyException;
import io.vertx.core.eventbus.ReplyFailure;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Creates the answer to a failed request to the API. The answer states what the client can do, if anything. All paths
 * of the API use this class, so that the same failure has the same status everywhere.
 */
final class ManagementFailureAnswer {

    private static final Logger LOG = LoggerFactory.getLogger(ManagementFailureAnswer.class);
    private static final StackTraceLimit STACKS = new StackTraceLimit();

    private ManagementFailureAnswer() {}

    /** Returns the answer to a request that failed with {@code cause}. An unexpected failure is logged. */
    static DocumentResponse answer(Throwable cause) {
        return switch (cause) {
            case FleetDocuments.TooManyKinds many ->
                DocumentResponse.problem(400, "Bad Request", String.valueOf(many.getMessage()));
            case FleetApi.TooManySets full ->
                DocumentResponse.problem(503, "Service Unavailable", String.valueOf(full.getMessage()))
                        .retryAfter((int) FleetApi.KEPT.toSeconds());
            case ManagementSharedAnswers.TooManyQuestions _ ->
                tooMany("too many other questions wait for their answers; ask again in a second");
            case ReplyException late
            when late.failureType() != ReplyFailure.RECIPIENT_FAILURE ->
                DocumentResponse.problem(
                        503, "Service Unavailable", "the part of the gateway that knows this has not answered in time");
            default -> {
                STACKS.add(LOG.atError(), cause).log("an answer of the API could not be made");
                yield DocumentResponse.problem(
                        500, "Internal Server Error", "the answer could not be made; the gateway's log says why");
            }
        };
    }

    /** Returns the answer to a client that sends more requests than it may. */
    static DocumentResponse tooMany(String detail) {
        return DocumentResponse.problem(429, "Too Many Requests", detail).retryAfter(1);
    }
}
