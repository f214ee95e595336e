package dev.sluice.decide;

import dev.sluice.patch.AnnotationPatch;
import dev.sluice.patch.PatchOperation;
import dev.sluice.patch.PatchedPod;
import dev.sluice.pod.Pod;
import dev.sluice.request.PodAnnotations;
import dev.sluice.request.PodRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Writes the stamp of a decision into the pod, by which it is known when it is seen. */
public final class StampPatch {

    private StampPatch() {}

    /** The verdict with the stamp in its patch; empty where the pod has no room for another annotation. */
    public static Optional<Verdict.Allowed> stamped(Verdict.Allowed verdict, PodRequest pod, String stamp) {
        List<PatchOperation> patch = new ArrayList<>(verdict.patch());
        patch.addAll(AnnotationPatch.of(annotations(verdict, pod), Map.of(Pod.STAMP, stamp)));
        return PatchedPod.problem(pod, patch).isPresent()
                ? Optional.empty()
                : Optional.of(new Verdict.Allowed(
                        verdict.outcome(),
                        verdict.reason(),
                        verdict.moves(),
                        verdict.warnings(),
                        patch,
                        verdict.injection()));
    }

    /** As far as the patch has made them when the stamp's turn comes. */
    private static PodAnnotations annotations(Verdict.Allowed verdict, PodRequest pod) {
        PodAnnotations before = pod.annotations();
        return verdict.patch().stream().anyMatch(AnnotationPatch::makesAnnotations)
                ? new PodAnnotations(PodAnnotations.Parent.ANNOTATIONS, before.values(), before.totalBytes())
                : before;
    }
}
