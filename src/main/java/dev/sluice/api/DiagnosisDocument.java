package dev.sluice.api;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import dev.sluice.doctor.ClusterDiagnosis;
import dev.sluice.doctor.ClusterDiagnosis.NodeReport;
import dev.sluice.doctor.DiagnosisCause.Evidence;
import dev.sluice.doctor.DiagnosisCode;
import dev.sluice.doctor.DiagnosisNextStep;
import dev.sluice.doctor.NodeBundleFinding;
import dev.sluice.doctor.PodDiagnosis;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A diagnosis of the cluster. The file {@code src/docs/doctor.md} documents it.
 *
 * @param ageSeconds the seconds since the cluster was read; null if it was read for this answer
 */
public record DiagnosisDocument(
        @Nullable Long ageSeconds, List<DiagnosedPod> pods, List<NodeReport> nodes, List<UncheckedKind> unchecked) {

    /**
     * The verdict on a pod.
     *
     * @param next a command that shows the object that has to change; null if there is none that is safe in a shell
     */
    public record DiagnosedPod(
            String namespace,
            String name,
            @JsonInclude @Nullable DiagnosisCode verdict,
            List<DiagnosisCode> also,
            List<String> reasons,
            String explanation,
            List<Evidence> evidence,
            @Nullable String next) {

        private static DiagnosedPod of(PodDiagnosis pod) {
            return new DiagnosedPod(
                    pod.namespace(),
                    pod.name(),
                    pod.verdict().orElse(null),
                    pod.also(),
                    pod.reasons(),
                    pod.explanation(),
                    pod.evidence(),
                    pod.verdict()
                            .flatMap(code -> DiagnosisNextStep.of(code, pod))
                            .orElse(null));
        }
    }

    public record UncheckedKind(String kind, String consequence) {}

    /** The findings in a bundle, which is a file from a node. The time is from the clock of the node. */
    public record BundleDocument(String name, String time, List<NodeBundleFinding> findings) {}

    /**
     * The output of {@code sluice doctor -o json}.
     *
     * @param nodeBundles the findings in the bundles; null if there are no bundles
     */
    public record DoctorDocument(
            @JsonUnwrapped DiagnosisDocument diagnosis,
            @Nullable List<BundleDocument> nodeBundles) {}

    public static DiagnosisDocument of(ClusterDiagnosis report) {
        return of(report, null);
    }

    static DiagnosisDocument of(ClusterDiagnosis report, @Nullable Long ageSeconds) {
        return new DiagnosisDocument(
                ageSeconds,
                report.pods().stream().map(DiagnosedPod::of).toList(),
                report.nodes(),
                report.unchecked().stream()
                        .map(unread -> new UncheckedKind(unread.plural(), unread.why()))
                        .toList());
    }
}
