package dev.sluice.bus;

import dev.sluice.record.DecisionSummary;

/**
 * The reply to a {@link SummaryQuestion}.
 *
 * @param whyAlone the reason why only the decisions of this process since its start are counted; empty if those of all
 *     replicas are counted
 */
public record SummaryReply(DecisionSummary summary, String whyAlone) {

    /** Returns the same reply with a reason that names no object of the gateway. */
    public SummaryReply withoutNames() {
        return whyAlone.isEmpty() ? this : new SummaryReply(summary, "those of other replicas could not be read");
    }
}
