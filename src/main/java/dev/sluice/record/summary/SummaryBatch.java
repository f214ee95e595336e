package dev.sluice.record.summary;

import dev.sluice.record.DecisionTally.BucketCount;
import java.util.List;

/**
 * Counts of one process that are stored together or not at all.
 *
 * @param number identifies the batch among the batches of the process; a later batch has a higher number
 */
record SummaryBatch(long number, List<BucketCount> counts) {

    SummaryBatch {
        counts = List.copyOf(counts);
    }
}
