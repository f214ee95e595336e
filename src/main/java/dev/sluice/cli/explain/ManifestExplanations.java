package dev.sluice.cli.explain;

import dev.sluice.admission.Decider;
import dev.sluice.admission.DecisionExplanation;
import dev.sluice.admission.ExplanationOccupancy;
import dev.sluice.admission.UnreadablePodDecision;
import dev.sluice.admission.request.ActivePolicy;
import dev.sluice.admission.request.NamespaceLimits;
import dev.sluice.admission.request.NamespacePolicy;
import dev.sluice.admission.request.PodRequest;
import dev.sluice.admission.verdict.VerdictTrace;
import dev.sluice.cli.console.UserProblem;
import dev.sluice.cluster.ClusterSnapshot;
import dev.sluice.kube.decode.AdmissionReview;
import java.util.Optional;

/**
 * Explains manifests with one policy and one state of the cluster.
 *
 * @param namespace the namespace in which all pods are explained; empty to use the namespace of each object
 */
record ManifestExplanations(
        ActivePolicy policy, Optional<String> namespace, ClusterSnapshot cluster, ExplanationOccupancy occupancy) {

    Explained explain(Manifest manifest) throws UserProblem {
        return switch (manifest) {
            case Manifest.ManifestPods pods -> explain(pods);
            case Manifest.Review review -> explain(review);
            case Manifest.PodClass _, Manifest.Other _ -> new Explained.Passed(manifest, "", manifest.title());
        };
    }

    private Explained explain(Manifest.ManifestPods read) throws UserProblem {
        String where = namespace.orElseGet(() -> read.namespace() == null ? "default" : read.namespace());
        NamespaceLimits limits = policy.forNamespace(where).limits();
        Manifest.ManifestPods filled = ManifestTolerations.filled(ManifestLimits.filled(read, limits), cluster);
        PodRequest pod = ManifestReader.decode(filled);
        DecisionExplanation explanation = explanation(pod, where);
        return new Explained.Decided(
                ManifestLimits.judged(filled, pod, explanation.trace(), limits),
                where,
                policy.policies().forNamespace(where),
                explanation);
    }

    private Explained explain(Manifest.Review manifest) {
        AdmissionReview review = manifest.review();
        if (!review.isToBeDecided()) {
            return new Explained.Passed(manifest, review.namespace(), what(review));
        }
        NamespacePolicy here = policy.forNamespace(review.namespace());
        DecisionExplanation explanation = switch (review.object()) {
            case AdmissionReview.PodObject.ReadPod pod -> explanation(pod.request(), review.namespace());
            case AdmissionReview.PodObject.Absent _ ->
                DecisionExplanation.of(UnreadablePodDecision.absent(here.policy()));
            case AdmissionReview.PodObject.UnreadableObject unreadable ->
                DecisionExplanation.of(UnreadablePodDecision.malformed(unreadable.problem(), here.policy()));
        };
        return new Explained.Decided(manifest, review.namespace(), here.policy(), explanation);
    }

    /**
     * Returns the explanation of the gateway's decision about a pod. The free amounts of nodes are computed only if a
     * namespace of the policy is in availability mode.
     */
    private DecisionExplanation explanation(PodRequest pod, String where) {
        NamespacePolicy here = policy.forNamespace(where);
        VerdictTrace trace = policy.policies().reserve()
                ? Decider.trace(pod, here, cluster, occupancy.free())
                : Decider.trace(pod, here, cluster);
        return DecisionExplanation.of(trace, pod, here, cluster, occupancy);
    }

    private static String what(AdmissionReview review) {
        if (review.isPodCreation()) {
            return "the mirror of a static pod, which runs already and is not created anew";
        }
        String kind = review.kind().startsWith("/") ? review.kind().substring(1) : review.kind();
        return review.operation() + " of " + kind
                + (review.subResource().isEmpty() ? "" : ", sub-resource " + review.subResource());
    }

    /** Returns the pod of a manifest as the gateway reads it. Returns empty if the manifest has none. */
    static Optional<PodRequest> pod(Manifest manifest) throws UserProblem {
        return switch (manifest) {
            case Manifest.ManifestPods pods -> Optional.of(ManifestReader.decode(pods));
            case Manifest.Review review
            when review.review().object() instanceof AdmissionReview.PodObject.ReadPod read ->
                Optional.of(read.request());
            case Manifest.Review _, Manifest.PodClass _, Manifest.Other _ -> Optional.empty();
        };
    }
}
