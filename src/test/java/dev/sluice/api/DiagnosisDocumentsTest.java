package dev.sluice.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.doctor.ClusterDiagnosis;
import dev.sluice.doctor.DiagnosisCode;
import dev.sluice.doctor.DiagnosisState;
import dev.sluice.doctor.PodDiagnosis;
import dev.sluice.doctor.ResourceFaults;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

class DiagnosisDocumentsTest {

    private final AtomicReference<Instant> now = new AtomicReference<>(Instant.EPOCH);
    private final DiagnosisDocuments api = new DiagnosisDocuments(now::get);

    private DocumentResponse after(long seconds) {
        now.set(Instant.EPOCH.plusSeconds(seconds));
        return api.answer(Map.of(), Optional.empty()).get();
    }

    @Test
    void aDiagnosisTellsItsAgeAndIsAnErrorOnceTheNextOneIsOverdue() {
        ClusterDiagnosis report =
                new ClusterDiagnosis(List.of(), List.of(), ResourceFaults.NONE, List.of(), /* podsKnown= */ true);
        api.keep(new DiagnosisState.Known(report, Instant.EPOCH, Instant.EPOCH.plusSeconds(300)));

        assertThat(after(200).status()).isEqualTo(200);
        assertThat(after(200).json()).contains("\"ageSeconds\":200");
        assertThat(after(301).status()).isEqualTo(503);
        assertThat(after(301).json()).contains("the newest diagnosis is 301 s old");
    }

    @Test
    void aVerdictComesWithACommandThatShowsWhatHasToChange() {
        PodDiagnosis waits = new PodDiagnosis(
                "ml", "train", Optional.of(DiagnosisCode.QUOTA_EXCEEDED), List.of(), List.of(), "It waits.", List.of());
        ClusterDiagnosis report =
                new ClusterDiagnosis(List.of(waits), List.of(), ResourceFaults.NONE, List.of(), /* podsKnown= */ true);
        api.keep(new DiagnosisState.Known(report, Instant.EPOCH, Instant.EPOCH.plusSeconds(300)));

        assertThat(after(1).json()).contains("\"next\":\"kubectl -n ml describe resourcequota\"");
    }
}
