package dev.sluice.cli.explain;

import dev.sluice.admission.Explanation;
import dev.sluice.admission.request.PodAnnotations;
import dev.sluice.admission.verdict.DecisionCause;
import dev.sluice.admission.verdict.JudgedCandidate;
import dev.sluice.admission.verdict.Verdict;
import dev.sluice.doctor.ResourceFaults;
import java.util.List;
import java.util.Optional;

/** The explanation of one object of the user. */
sealed interface Explained {

    Manifest manifest();

    String namespace();

    /**
     * The gateway decides about its pods.
     *
     * @param faults what is known of resources that they ask for and do not get
     */
    record Decided(Manifest manifest, String namespace, Explanation explanation, List<DecisionCause.KnownFault> faults)
            implements Explained {

        Decided(Manifest manifest, String namespace, Explanation explanation) {
            this(manifest, namespace, explanation, List.of());
        }

        /** Whether a fault could be why they do not get what they ask for. */
        boolean lacksAnything() {
            return explanation.verdict().candidates().stream().anyMatch(JudgedCandidate::isLacked);
        }

        /** In words that do not contradict the faults. */
        Verdict verdict() {
            return explanation.verdict() instanceof Verdict.Denied denied
                    ? denied.knowing(faults)
                    : explanation.verdict();
        }

        Decided with(ResourceFaults known) {
            return new Decided(manifest, namespace, explanation, known.lackedBy(explanation.verdict()));
        }
    }

    /** The gateway admits it unread. {@code what} says what it is, for example {@code UPDATE of apps/v1/Deployment}. */
    record Passed(Manifest manifest, String namespace, String what) implements Explained {}

    /** The annotation of a pod that was changed when it was created; what is decided now is about the changed pod. */
    default Optional<String> changedBefore() {
        return manifest() instanceof Manifest.ManifestPods pods && pods.isPod()
                ? Optional.of(pods.pod()
                                .path("metadata")
                                .path("annotations")
                                .path(PodAnnotations.FALLBACK)
                                .asText(""))
                        .filter(fallback -> !fallback.isEmpty())
                : Optional.empty();
    }

    default boolean isDenied() {
        return this instanceof Decided decided && decided.explanation().verdict() instanceof Verdict.Denied;
    }
}
