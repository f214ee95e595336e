package dev.sluice.api;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import dev.sluice.cluster.quantity.ResourceName;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The answer of {@code /api/v1/capacity/history}. The file {@code src/docs/capacity-json.md} documents each field. New
 * fields may be added, but no field is removed.
 */
record HistoryDocument(
        long stepSeconds,

        @JsonPropertyDescription("The times of the samples in seconds of the Unix epoch; the last one is now.")
        List<Long> times,

        List<ResourceHistory> resources) {

    /** The amounts of one resource: one amount for each time in the document. An amount is null if it is unknown. */
    record ResourceHistory(
            ResourceName resource,
            List<@Nullable Long> allocatable,
            List<@Nullable Long> allocated,
            List<@Nullable Long> reserved,
            List<@Nullable Long> available,

            @JsonPropertyDescription("The most that one node had available.")
            List<@Nullable Long> largestFree) {}
}
