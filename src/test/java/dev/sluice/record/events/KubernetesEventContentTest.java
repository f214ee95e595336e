package dev.sluice.record.events;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.admission.verdict.Reason;
import dev.sluice.record.DecisionRecord;
import dev.sluice.record.RecordedDecisionKind;
import dev.sluice.record.SampleRecords;
import dev.sluice.record.events.KubernetesEventContent.Severity;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The reasons of Events tell pods apart that were changed, kept and denied. */
class KubernetesEventContentTest {

    @ParameterizedTest
    @CsvSource({
        "CHANGED, NOT_OFFERED, NotOffered, NORMAL",
        "CHANGED, EXHAUSTED, Exhausted, NORMAL",
        "CHANGED, OFFERED, Offered, NORMAL",
        "DENIED, NOT_OFFERED, DeniedNotOffered, WARNING",
        "DENIED, EXHAUSTED, DeniedExhausted, WARNING",
        "KEPT, KEPT_AS_WRITTEN, KeptAsWritten, WARNING",
        "KEPT, GATED, KeptGated, WARNING",
        "UNCHANGED, EXHAUSTED, KeptExhausted, WARNING"
    })
    void theReasonTellsWhatWasDoneAndWhy(RecordedDecisionKind kind, Reason why, String reason, Severity severity) {
        DecisionRecord decision = SampleRecords.of(kind, why).record();

        for (KubernetesEventContent content :
                List.of(KubernetesEventContent.atPod(decision), KubernetesEventContent.atOwner(decision, "Job"))) {
            assertThat(content.reason()).isEqualTo(reason);
            assertThat(content.severity()).isEqualTo(severity);
        }
    }
}
