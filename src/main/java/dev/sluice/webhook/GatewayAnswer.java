package dev.sluice.webhook;

import dev.sluice.webhook.body.HttpAnswer;
import dev.sluice.record.ReviewRecord;
import java.util.Optional;

/**
 * The answer to a request.
 *
 * @param record what is told once the answer has been written; empty if nothing was decided
 */
record GatewayAnswer(HttpAnswer http, Optional<ReviewRecord> record) {

    /** The answer to a request that holds no review of a new pod, or could not be decided. */
    static GatewayAnswer undecided(HttpAnswer http) {
        return new GatewayAnswer(http, Optional.empty());
    }
}
