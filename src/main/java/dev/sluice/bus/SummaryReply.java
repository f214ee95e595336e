package dev.sluice.bus;

import dev.sluice.record.TalliedDecisions;

/**
 * The reply to a {@link SummaryQuestion}.
 *
 * @param whyAlone the reason why the summary counts only the decisions of this process since its start; empty if it
 *     counts the decisions of all replicas
 */
public record SummaryReply(TalliedDecisions summary, String whyAlone) {

    /** Returns the same reply, but the reason does not contain names of Kubernetes objects. */
    public SummaryReply withoutNames() {
        return whyAlone.isEmpty() ? this : new SummaryReply(summary, "those of other replicas could not be read");
    }
}
