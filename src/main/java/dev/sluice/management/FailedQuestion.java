package dev.sluice.management;

import dev.sluice.api.ApiAnswer;
import dev.sluice.api.Fleet;
import dev.sluice.log.StackTraceLimit;
import io.vertx.core.eventbus.ReplyException;
import io.vertx.core.eventbus.ReplyFailure;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Creates the answer to a failed request to the API. The answer states what the client can do, if anything. All paths
 * of the API use this class, so that the same failure has the same status everywhere.
 */
final class FailedQuestion {

    private static final Logger LOG = LoggerFactory.getLogger(FailedQuestion.class);
    private static final StackTraceLimit STACKS = new StackTraceLimit();

    private FailedQuestion() {}

    /** Returns the answer to a request that failed with {@code cause}. An unexpected failure is logged. */
    static ApiAnswer answer(Throwable cause) {
        return switch (cause) {
            case Fleet.TooManyKinds many -> ApiAnswer.problem(400, "Bad Request", String.valueOf(many.getMessage()));
            case FleetApi.TooManySets full ->
                ApiAnswer.problem(503, "Service Unavailable", String.valueOf(full.getMessage()))
                        .retryAfter((int) FleetApi.KEPT.toSeconds());
            case SharedAnswers.TooManyQuestions _ ->
                tooMany("too many other questions wait for their answers; ask again in a second");
            case ReplyException late
            when late.failureType() != ReplyFailure.RECIPIENT_FAILURE ->
                ApiAnswer.problem(
                        503, "Service Unavailable", "the part of the gateway that knows this has not answered in time");
            default -> {
                STACKS.add(LOG.atError(), cause).log("an answer of the API could not be made");
                yield ApiAnswer.problem(
                        500, "Internal Server Error", "the answer could not be made; the gateway's log says why");
            }
        };
    }

    /** Returns the answer to a client that sends more requests than it may. */
    static ApiAnswer tooMany(String detail) {
        return ApiAnswer.problem(429, "Too Many Requests", detail).retryAfter(1);
    }
}
