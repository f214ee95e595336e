package dev.sluice.bus;

import dev.sluice.record.DecisionSummary;

/**
 * The reply to a {@link SummaryQuestion}.
 *
 * @param whyAlone empty if the decisions of all replicas are counted; otherwise the reason why only those of this
 *     process since its start are
 */
public record SummaryReply(DecisionSummary summary, String whyAlone) {

    /** Returns the same reply with a reason that names no object of the gateway. */
    public SummaryReply withoutNames() {
        return whyAlone.isEmpty() ? this : new SummaryReply(summary, "those of other replicas could not be read");
    }
}
