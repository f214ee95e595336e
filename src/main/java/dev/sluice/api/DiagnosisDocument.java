package dev.sluice.api;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import dev.sluice.doctor.BundleFinding;
import dev.sluice.doctor.Cause.Evidence;
import dev.sluice.doctor.ClusterReport;
import dev.sluice.doctor.ClusterReport.NodeReport;
import dev.sluice.doctor.PodVerdict;
import dev.sluice.doctor.VerdictCode;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A diagnosis of the cluster; {@code src/docs/doctor.md} documents it. */
public record DiagnosisDocument(List<DiagnosedPod> pods, List<NodeReport> nodes, List<UncheckedKind> unchecked) {

    public record DiagnosedPod(
            String namespace,
            String name,
            @JsonInclude @Nullable VerdictCode verdict,
            List<VerdictCode> also,
            List<String> reasons,
            String explanation,
            List<Evidence> evidence) {

        private static DiagnosedPod of(PodVerdict pod) {
            return new DiagnosedPod(
                    pod.namespace(),
                    pod.name(),
                    pod.verdict().orElse(null),
                    pod.also(),
                    pod.reasons(),
                    pod.explanation(),
                    pod.evidence());
        }
    }

    public record UncheckedKind(String kind, String consequence) {}

    /** What a node says of itself; the time is that of its own clock. */
    public record BundleDocument(String name, String time, List<BundleFinding> findings) {}

    /**
     * What {@code sluice doctor -o json} prints.
     *
     * @param nodeBundles null if no file of a node was given
     */
    public record DoctorDocument(
            @JsonUnwrapped DiagnosisDocument diagnosis,
            @Nullable List<BundleDocument> nodeBundles) {}

    public static DiagnosisDocument of(ClusterReport report) {
        return new DiagnosisDocument(
                report.pods().stream().map(DiagnosedPod::of).toList(),
                report.nodes(),
                report.unchecked().stream()
                        .map(unread -> new UncheckedKind(unread.plural(), unread.why()))
                        .toList());
    }
}
