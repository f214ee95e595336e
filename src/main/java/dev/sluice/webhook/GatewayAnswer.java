package dev.sluice.webhook;

import dev.sluice.record.ReviewRecord;
import dev.sluice.webhook.intake.HttpAnswer;
import java.util.Optional;

/**
 * The answer to a request.
 *
 * @param record the record of the decision, which is published after the answer has been written; empty if no decision
 *     was made
 * @param refusal the sentence of the answer if the request is refused; empty otherwise
 */
record GatewayAnswer(HttpAnswer http, Optional<ReviewRecord> record, Optional<String> refusal) {

    static GatewayAnswer decided(HttpAnswer http, ReviewRecord record) {
        return new GatewayAnswer(http, Optional.of(record), Optional.empty());
    }

    /** Returns the answer to a request that contains no review of a new pod, or that could not be decided. */
    static GatewayAnswer undecided(HttpAnswer http) {
        return new GatewayAnswer(http, Optional.empty(), Optional.empty());
    }

    static GatewayAnswer refused(int status, String sentence) {
        return new GatewayAnswer(HttpAnswer.plain(status, sentence), Optional.empty(), Optional.of(sentence));
    }
}
