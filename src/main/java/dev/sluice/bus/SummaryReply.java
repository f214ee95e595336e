package dev.sluice.bus;

import dev.sluice.record.DecisionSummary;

/**
 * The reply to a {@link SummaryQuestion}.
 *
 * @param whyAlone empty if the decisions of all replicas are counted; otherwise the reason why only those of this
 *     process since its start are
 */
public record SummaryReply(DecisionSummary summary, String whyAlone) {}
