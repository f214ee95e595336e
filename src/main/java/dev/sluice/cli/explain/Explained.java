package dev.sluice.cli.explain;

import dev.sluice.admission.DecisionExplanation;
import dev.sluice.admission.request.PodRequest;
import dev.sluice.admission.request.PodRequestAnnotations;
import dev.sluice.admission.request.Policy;
import dev.sluice.admission.verdict.CandidateVerdict;
import dev.sluice.admission.verdict.DecisionCause;
import dev.sluice.admission.verdict.Verdict;
import dev.sluice.doctor.ResourceFaults;
import dev.sluice.text.ShortText;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The explanation of one object in the user's files. */
sealed interface Explained {

    /** The maximum length of the name of a PriorityClass in a sentence. Users can write names of any length. */
    int LONGEST_NAME = 200;

    Manifest manifest();

    String namespace();

    /**
     * The object creates pods, and the gateway decides about them.
     *
     * @param policy the policy of the namespace
     * @param faults the known faults of resources that the pods request but do not get
     */
    record Decided(
            Manifest manifest,
            String namespace,
            Policy policy,
            DecisionExplanation explanation,
            List<DecisionCause.KnownFault> faults)
            implements Explained {

        Decided(Manifest manifest, String namespace, Policy policy, DecisionExplanation explanation) {
            this(manifest, namespace, policy, explanation, List.of());
        }

        /** Returns true if the pods do not get a resource that they request. The reason may be a fault of a node. */
        boolean lacksAnything() {
            return explanation.verdict().candidates().stream().anyMatch(CandidateVerdict::isLacked);
        }

        Verdict verdict() {
            return explanation.verdict();
        }

        Decided with(ResourceFaults known, PodRequest pod) {
            return new Decided(
                    manifest, namespace, policy, explanation, known.lackedInFull(explanation.verdict(), pod));
        }
    }

    /**
     * A review that the gateway allows without reading its object.
     *
     * @param what the operation and kind, for example {@code UPDATE of apps/v1/Deployment}
     */
    record Passed(Manifest manifest, String namespace, String what) implements Explained {}

    /**
     * If Sluice has changed the pod in an earlier review, returns the fallback annotation of the pod. The explanation
     * is then about the changed pod. Returns empty for all other objects.
     */
    default Optional<String> changedBefore() {
        return manifest() instanceof Manifest.ManifestPods pods && pods.isPod()
                ? Optional.of(pods.pod()
                                .path("metadata")
                                .path("annotations")
                                .path(PodRequestAnnotations.FALLBACK)
                                .asText(""))
                        .filter(fallback -> !fallback.isEmpty())
                : Optional.empty();
    }

    /**
     * Returns notes about the limits of this explanation. For example, the API server may change or refuse the pod
     * because of a RuntimeClass that no file contains. Returns no notes for an object without GPU pods.
     */
    default List<String> notFilled() {
        if (!(this instanceof Decided decided)
                || !(manifest() instanceof Manifest.ManifestPods pods)
                || decided.verdict() instanceof Verdict.NoGpu
                || pods.isFilled()) {
            return List.of();
        }
        List<String> sentences = new ArrayList<>(pods.notFilled());
        String priority = nameIn(pods, "priorityClassName");
        if (!priority.isEmpty()
                && !pods.pod().path("spec").has("priority")
                && decided.explanation().trace().mode() == Policy.Mode.AVAILABILITY) {
            sentences.add("The priority of the PriorityClass " + priority + " is not known here; this is the answer for"
                    + " priority 0. To get the answer for another one, write it as priority beside"
                    + " priorityClassName.");
        }
        ManifestTolerations.unfilled(decided.explanation()).ifPresent(sentences::add);
        return sentences;
    }

    private static String nameIn(Manifest.ManifestPods pods, String field) {
        return ShortText.of(pods.pod().path("spec").path(field).asText(""), LONGEST_NAME);
    }

    /** Returns true if the pods would not be created. */
    default boolean isDenied() {
        return this instanceof Decided decided
                && !decided.policy().observes()
                && decided.explanation().verdict() instanceof Verdict.Denied;
    }
}
