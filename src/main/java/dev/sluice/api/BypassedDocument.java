package dev.sluice.api;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import dev.sluice.record.BypassCause;
import dev.sluice.record.BypassCounts;
import dev.sluice.record.BypassCounts.BypassKey;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The answer of {@code /api/v1/bypassed}. The file {@code src/docs/availability-mode.md} documents it. */
record BypassedDocument(
        @JsonPropertyDescription(
                "Since this moment every GPU pod is compared with the decisions; null while this replica does not decide alone.")
        @JsonInclude
        @Nullable
        Instant completeSince,

        List<BypassCount> counts,

        @JsonPropertyDescription("The last 100, the newest first.")
        List<NamedBypass> pods) {

    private static final Comparator<BypassKey> ORDER =
            Comparator.comparing(BypassKey::namespace).thenComparing(BypassKey::cause);

    record BypassCount(
            @JsonPropertyDescription("(other) stands for all beyond the first 100.")
            String namespace,

            BypassCause cause,
            long pods) {}

    record NamedBypass(String namespace, String name, BypassCause cause, Instant created) {}

    static BypassedDocument of(BypassCounts report) {
        return new BypassedDocument(
                report.completeSince().map(BypassedDocument::wholeSecond).orElse(null),
                report.counts().entrySet().stream()
                        .sorted(Map.Entry.comparingByKey(ORDER))
                        .map(count -> new BypassCount(
                                count.getKey().namespace(), count.getKey().cause(), count.getValue()))
                        .toList(),
                report.newest().stream()
                        .map(pod -> new NamedBypass(pod.namespace(), pod.name(), pod.cause(), pod.created()))
                        .toList());
    }

    /**
     * Rounds up to a whole second, because the API server stores creation times in whole seconds. The report is
     * complete only for pods that were created after {@code moment}. If the time were rounded down, the report would
     * also seem complete for earlier pods of the same second.
     */
    private static Instant wholeSecond(Instant moment) {
        return moment.plusNanos(999_999_999).truncatedTo(ChronoUnit.SECONDS);
    }
}
