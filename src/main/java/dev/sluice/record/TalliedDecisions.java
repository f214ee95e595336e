package dev.sluice.record;

import java.time.Instant;
import java.util.List;
import java.util.Map;

/**
 * The number of decisions for each namespace, chain and outcome.
 *
 * @param since the time since which all decisions are counted. It is the beginning of an hour or of a day, so it may be
 *     earlier than the requested time
 */
public record TalliedDecisions(Instant since, List<SummaryRow> rows) {

    public TalliedDecisions {
        rows = List.copyOf(rows);
    }

    /**
     * The counts of one {@link TalliedChain}.
     *
     * @param counts the number of decisions with each outcome; an outcome that never occurred may be missing
     */
    public record SummaryRow(TalliedChain counted, Map<TalliedOutcome, Long> counts) {

        public SummaryRow {
            counts = Map.copyOf(counts);
        }

        public long of(TalliedOutcome outcome) {
            return counts.getOrDefault(outcome, 0L);
        }
    }
}
