package dev.sluice.webhook;

import dev.sluice.record.ReviewRecord;
import dev.sluice.webhook.intake.IntakeHttpAnswer;
import java.util.Optional;

/**
 * The answer to a request.
 *
 * @param record the record of the decision, which is published after the answer has been written; empty if no decision
 *     was made
 * @param refusal the sentence of the answer if the request is refused; empty otherwise
 */
record GatewayReviewAnswer(IntakeHttpAnswer http, Optional<ReviewRecord> record, Optional<String> refusal) {

    static GatewayReviewAnswer decided(IntakeHttpAnswer http, ReviewRecord record) {
        return new GatewayReviewAnswer(http, Optional.of(record), Optional.empty());
    }

    /** Returns an answer without a record, for example because the request contains no review of a new pod. */
    static GatewayReviewAnswer undecided(IntakeHttpAnswer http) {
        return new GatewayReviewAnswer(http, Optional.empty(), Optional.empty());
    }

    static GatewayReviewAnswer refused(int status, String sentence) {
        return new GatewayReviewAnswer(
                IntakeHttpAnswer.plain(status, sentence), Optional.empty(), Optional.of(sentence));
    }
}
