package dev.sluice.record;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.admission.request.PodRequestReplacement;
import dev.sluice.admission.request.Policy.Enforcement;
import dev.sluice.admission.verdict.Reason;
import dev.sluice.cluster.quantity.ResourceName;
import dev.sluice.record.TalliedDecisions.SummaryRow;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class DecisionTallyTest {

    private static final Instant NOON = Instant.parse("2026-11-21T12:30:00Z");
    private static final PodRequestReplacement MOVE =
            new PodRequestReplacement(new ResourceName("nvidia.com/mig-3g.40gb"), ResourceName.NVIDIA_GPU);

    private final DecisionTally tally = new DecisionTally();

    private static SampleRecords of(RecordedDecisionKind kind, Reason reason) {
        return SampleRecords.of(kind, reason).at(NOON.toEpochMilli());
    }

    private static SampleRecords changed() {
        return of(RecordedDecisionKind.CHANGED, Reason.NOT_OFFERED).moves(MOVE);
    }

    private TalliedDecisions since(Duration age) {
        return tally.summary(NOON.minus(age), NOON);
    }

    private static long total(TalliedDecisions summary) {
        return summary.rows().stream()
                .flatMap(row -> row.counts().values().stream())
                .mapToLong(count -> count)
                .sum();
    }

    @Test
    void countsWhatBecomesOfPodsByNamespaceChainAndEnforcement() {
        Stream.of(
                        changed(),
                        changed().observed(),
                        of(RecordedDecisionKind.DENIED, Reason.NOT_OFFERED).observed(),
                        of(RecordedDecisionKind.KEPT, Reason.KEPT_AS_WRITTEN),
                        of(RecordedDecisionKind.UNCHANGED, Reason.EXHAUSTED),
                        of(RecordedDecisionKind.UNCHANGED, Reason.OFFERED),
                        of(RecordedDecisionKind.UNTOUCHED, Reason.NOT_DECIDED),
                        changed().dryRun(true))
                .map(SampleRecords::record)
                .forEach(tally::add);

        assertThat(since(Duration.ofHours(1)).rows())
                .containsExactly(
                        new SummaryRow(
                                new TalliedChain("team", "", Enforcement.ENFORCE),
                                Map.of(
                                        TalliedOutcome.WAITING, 2L,
                                        TalliedOutcome.UNCHANGED, 1L,
                                        TalliedOutcome.UNDECIDED, 1L)),
                        new SummaryRow(
                                new TalliedChain("team", "", Enforcement.OBSERVE), Map.of(TalliedOutcome.DENIED, 1L)),
                        new SummaryRow(
                                new TalliedChain("team", MOVE.asked().value(), Enforcement.ENFORCE),
                                Map.of(TalliedOutcome.CHANGED, 1L)),
                        new SummaryRow(
                                new TalliedChain("team", MOVE.asked().value(), Enforcement.OBSERVE),
                                Map.of(TalliedOutcome.CHANGED, 1L)));
    }

    @Test
    void keepsSevenDaysByHourAndThenByDay() {
        for (int hour = 0; hour < 24 * 10; hour++) {
            tally.add(changed()
                    .at(NOON.minus(Duration.ofHours(hour)).toEpochMilli())
                    .record());
        }

        assertThat(since(Duration.ofHours(3)).since()).isEqualTo(Instant.parse("2026-11-21T09:00:00Z"));
        assertThat(total(since(Duration.ofHours(3)))).isEqualTo(4);
        assertThat(since(Duration.ofDays(2)).since()).isEqualTo(Instant.parse("2026-11-19T00:00:00Z"));
        assertThat(total(since(Duration.ofDays(2)))).isEqualTo(24 + 24 + 13);
        assertThat(since(Duration.ofDays(400)).since()).isEqualTo(Instant.parse("2026-11-14T00:00:00Z"));
        assertThat(total(since(Duration.ofDays(400)))).isEqualTo(7 * 24 + 13);
        assertThat(tally.all()).hasSizeLessThanOrEqualTo(6 + 24 + 13);
    }

    /** A tenant chooses the names of resources, and who reaches the port chooses those of namespaces. */
    @Test
    void inventedNamesFillNeitherTheRowsOfOthersNorTheMemory() {
        for (int i = 0; i < 1_000; i++) {
            tally.add(changed()
                    .moves(new PodRequestReplacement(new ResourceName("nvidia.com/mig-" + i), ResourceName.NVIDIA_GPU))
                    .record());
        }
        tally.add(changed().pod("later", "train").record());
        List<SummaryRow> rows = since(Duration.ofHours(1)).rows();

        assertThat(rows).hasSize(DecisionTally.MOST_CHAINS + 2);
        assertThat(rows).anyMatch(row -> row.counted().namespace().equals("later"));
        assertThat(rows)
                .filteredOn(row -> row.counted().chain().equals(TalliedChain.OTHER))
                .singleElement()
                .satisfies(
                        row -> assertThat(row.of(TalliedOutcome.CHANGED)).isEqualTo(1_000 - DecisionTally.MOST_CHAINS));

        for (int i = 0; i < 1_000; i++) {
            tally.add(changed().pod("invented-" + i, "train").record());
        }
        assertThat(since(Duration.ofHours(1)).rows()).hasSizeLessThanOrEqualTo(DecisionTally.MOST_ROWS + 2);
        assertThat(total(since(Duration.ofHours(1)))).isEqualTo(2_001);
    }
}
