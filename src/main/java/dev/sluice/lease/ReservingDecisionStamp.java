package dev.sluice.lease;

import dev.sluice.admission.patch.AnnotationPatch;
import dev.sluice.admission.patch.PatchOperation;
import dev.sluice.admission.patch.PatchedPod;
import dev.sluice.admission.request.PodRequest;
import dev.sluice.admission.request.PodRequestAnnotations;
import dev.sluice.admission.verdict.Verdict;
import dev.sluice.cluster.Pod;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Adds the stamp, which identifies a decision, to the patch of the pod. When the watch shows the pod, the gateway
 * recognises the pod by the stamp.
 */
public final class ReservingDecisionStamp {

    private ReservingDecisionStamp() {}

    /** Returns the verdict with the stamp in its patch; empty if the pod cannot take another annotation. */
    public static Optional<Verdict.Allowed> stamped(Verdict.Allowed verdict, PodRequest pod, String stamp) {
        List<PatchOperation> patch = new ArrayList<>(verdict.patch());
        patch.addAll(AnnotationPatch.of(annotations(verdict, pod), Map.of(Pod.STAMP, stamp)));
        return PatchedPod.problem(pod, patch).isPresent() ? Optional.empty() : Optional.of(verdict.with(patch));
    }

    /** Returns the annotations of the pod after all operations of the patch that come before the stamp. */
    private static PodRequestAnnotations annotations(Verdict.Allowed verdict, PodRequest pod) {
        PodRequestAnnotations before = pod.annotations();
        return verdict.patch().stream().anyMatch(AnnotationPatch::makesAnnotations)
                ? new PodRequestAnnotations(
                        PodRequestAnnotations.Parent.ANNOTATIONS, before.values(), before.totalBytes())
                : before;
    }
}
