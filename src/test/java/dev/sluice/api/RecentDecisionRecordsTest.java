package dev.sluice.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.admission.verdict.Reason;
import dev.sluice.record.NumberedDecisionRecord;
import dev.sluice.record.RecordedDecisionKind;
import dev.sluice.record.SampleRecords;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class RecentDecisionRecordsTest {

    private final RecentDecisionRecords recent = new RecentDecisionRecords();

    private void add(int from, int to) {
        for (int i = from; i < to; i++) {
            var _ = recent.add(SampleRecords.unchanged().uid("u" + i).at(i).record());
        }
    }

    private List<Long> found(DecisionRecordFilter filter, int limit) {
        return recent.find(filter, limit).stream()
                .map(NumberedDecisionRecord::number)
                .toList();
    }

    @Test
    void theNewestComesFirst() {
        add(0, 3);

        assertThat(found(DecisionRecordFilter.ALL, 10)).containsExactly(3L, 2L, 1L);
        assertThat(found(DecisionRecordFilter.ALL, 2)).containsExactly(3L, 2L);
    }

    @Test
    void theLastThousandAreKept() {
        add(0, 2_500);

        assertThat(found(DecisionRecordFilter.ALL, 5_000))
                .hasSize(1_000)
                .startsWith(2_500L)
                .endsWith(1_501L);
        assertThat(recent.total()).isEqualTo(2_500);
        assertThat(recent.find(decision -> decision.pod().head().uid().equals("u1499"), 1))
                .isEmpty();
        assertThat(recent.find(decision -> decision.pod().head().uid().equals("u1500"), 1))
                .map(NumberedDecisionRecord::number)
                .containsExactly(1_501L);
    }

    private static DecisionRecordFilter filter(Optional<String> namespace, Optional<String> name, long since) {
        return new DecisionRecordFilter(namespace, name, Optional.empty(), Optional.empty(), Optional.empty(), since);
    }

    @Test
    void aPodIsFoundByNamespaceNameAndTime() {
        var _ = recent.add(SampleRecords.unchanged().pod("a", "train").at(10).record());
        var _ = recent.add(SampleRecords.unchanged().pod("b", "train").at(20).record());

        assertThat(found(filter(Optional.of("a"), Optional.empty(), 0), 9)).containsExactly(1L);
        assertThat(found(filter(Optional.empty(), Optional.of("train"), 0), 9)).containsExactly(2L, 1L);
        assertThat(found(filter(Optional.empty(), Optional.of("trai"), 0), 9)).isEmpty();
        assertThat(found(filter(Optional.empty(), Optional.empty(), 20), 9)).containsExactly(2L);
        assertThat(found(filter(Optional.empty(), Optional.empty(), 21), 9)).isEmpty();
    }

    @Test
    void aGeneratedNameIsFoundByWhatCouldBeGenerated() {
        var _ = recent.add(SampleRecords.unchanged().pod("a", "train-*").record());

        assertThat(found(filter(Optional.empty(), Optional.of("train-x7f2q"), 0), 9))
                .containsExactly(1L);
        assertThat(found(filter(Optional.empty(), Optional.of("train-*"), 0), 9))
                .containsExactly(1L);
        assertThat(found(filter(Optional.empty(), Optional.of("train"), 0), 9)).isEmpty();
    }

    /** Of a long one the API server keeps 58 letters. */
    @Test
    void aLongGeneratedNameIsFoundByWhatIsKeptOfIt() {
        var _ = recent.add(
                SampleRecords.unchanged().pod("a", "n".repeat(62) + "*").record());

        assertThat(found(filter(Optional.empty(), Optional.of("n".repeat(58) + "x7f2q"), 0), 9))
                .containsExactly(1L);
        assertThat(found(filter(Optional.empty(), Optional.of("n".repeat(57)), 0), 9))
                .isEmpty();
    }

    @Test
    void verdictAndReasonChoose() {
        var _ = recent.add(
                SampleRecords.of(RecordedDecisionKind.DENIED, Reason.EXHAUSTED).record());
        var _ = recent.add(
                SampleRecords.of(RecordedDecisionKind.CHANGED, Reason.EXHAUSTED).record());

        assertThat(found(
                        new DecisionRecordFilter(
                                Optional.empty(),
                                Optional.empty(),
                                Optional.of(RecordedDecisionKind.DENIED),
                                Optional.empty(),
                                Optional.empty(),
                                0),
                        9))
                .containsExactly(1L);
        assertThat(found(
                        new DecisionRecordFilter(
                                Optional.empty(),
                                Optional.empty(),
                                Optional.empty(),
                                Optional.of(Reason.NOT_OFFERED),
                                Optional.empty(),
                                0),
                        9))
                .isEmpty();
    }
}
