package dev.sluice.admission.verdict;

import dev.sluice.admission.injection.Injection;
import dev.sluice.admission.patch.PatchOperation;
import dev.sluice.admission.request.PodRequestAnnotations;
import dev.sluice.admission.request.PodRequestReplacement;
import java.util.ArrayList;
import java.util.List;

/** The result of a decision about a pod, as data. */
public sealed interface Verdict {

    /**
     * Returns the resources that are injected for the pod's GPUs, or the reason why the injection rules refuse the pod.
     */
    Injection injection();

    /**
     * Returns the results of the candidate resources that the search considered. If there are too many, only the first
     * ones are returned.
     */
    List<CandidateVerdict> candidates();

    /** Returns a copy with one more cause. A verdict that has no messages returns itself. */
    Verdict with(DecisionCause cause);

    /**
     * Returns a copy with these results of the candidate resources. A verdict that does not depend on candidates
     * returns itself.
     */
    Verdict judged(List<CandidateVerdict> candidates);

    /** The pod requests no GPU. */
    record NoGpu() implements Verdict {
        @Override
        public Injection injection() {
            return Injection.NOTHING;
        }

        @Override
        public List<CandidateVerdict> candidates() {
            return List.of();
        }

        @Override
        public NoGpu with(DecisionCause cause) {
            return this;
        }

        @Override
        public NoGpu judged(List<CandidateVerdict> candidates) {
            return this;
        }
    }

    /**
     * The pod is admitted.
     *
     * @param moves the replaced resources; empty if none is replaced, for example if only a missing limit is added
     * @param causes the causes from which the user's messages are created
     * @param patch the operations of the JSON patch; empty if the pod is not changed
     * @param injection the resources that the patch adds for the GPUs
     * @param candidates the results of the first candidate resources; empty if the pod gets the resources that it
     *     requests
     */
    record Allowed(
            Outcome outcome,
            Reason reason,
            List<PodRequestReplacement> moves,
            List<DecisionCause> causes,
            List<PatchOperation> patch,
            Injection injection,
            List<CandidateVerdict> candidates)
            implements Verdict {

        public Allowed {
            moves = List.copyOf(moves);
            causes = List.copyOf(causes);
            patch = List.copyOf(patch);
            candidates = List.copyOf(candidates);
        }

        @Override
        public Allowed with(DecisionCause cause) {
            List<DecisionCause> all = new ArrayList<>(causes);
            all.add(cause);
            return new Allowed(outcome, reason, moves, all, patch, injection, candidates);
        }

        /** Returns a copy with another patch. */
        public Allowed with(List<PatchOperation> other) {
            return new Allowed(outcome, reason, moves, causes, other, injection, candidates);
        }

        /**
         * Returns true if the patch adds the missing limit of a GPU, makes a replacement, or writes the annotation that
         * lists the replacements.
         */
        public boolean changesGpus() {
            if (addsLimit()) {
                return true;
            }
            for (PatchOperation step : patch) {
                String key = step.path().lastKey();
                if (key.equals(PodRequestAnnotations.FALLBACK)) {
                    return true;
                }
                for (PodRequestReplacement move : moves) {
                    if (key.equals(move.asked().value())
                            || key.equals(move.given().value())) {
                        return true;
                    }
                }
            }
            return false;
        }

        private boolean addsLimit() {
            for (DecisionCause cause : causes) {
                if (cause instanceof DecisionCause.LimitAdded) {
                    return true;
                }
            }
            return false;
        }

        /**
         * Returns a copy that is reported as {@code unchanged}. It has the same patch, but no replacements and causes.
         * It is for a second review of the pod, if the patch does not change GPUs in that review.
         */
        public Allowed unchanged(Reason why) {
            return new Allowed(Outcome.UNCHANGED, why, List.of(), List.of(), patch, injection, List.of());
        }

        /**
         * Returns a copy that reports only the limits that were added, and not the replacements. It has the same patch.
         */
        public Allowed withLimitsOnly(Reason why) {
            List<DecisionCause> limits = causes.stream()
                    .filter(DecisionCause.LimitAdded.class::isInstance)
                    .toList();
            return new Allowed(Outcome.CHANGED, why, List.of(), limits, patch, injection, List.of());
        }

        @Override
        public Allowed judged(List<CandidateVerdict> judged) {
            return new Allowed(outcome, reason, moves, causes, patch, injection, judged);
        }

        /** Returns the verdict that admits the pod without a patch. */
        public static Allowed unpatched(Outcome outcome, Reason reason, List<DecisionCause> causes) {
            return new Allowed(outcome, reason, List.of(), causes, List.of(), Injection.NOTHING, List.of());
        }

        /** Returns the verdict that admits the pod without a patch, with the outcome {@code UNTOUCHED}. */
        public static Allowed untouched(Reason reason, List<DecisionCause> causes) {
            return unpatched(Outcome.UNTOUCHED, reason, causes);
        }
    }

    /**
     * The pod is denied.
     *
     * @param cause the cause of the denial; its sentence also says which request would be admitted
     * @param causes the causes of further messages for the user
     * @param injection the reason why the injection rules refuse the pod, if that is the cause
     * @param helpText the sentence that the policy adds to each denial; empty for none
     * @param candidates the results of the first candidate resources
     */
    record Denied(
            Reason reason,
            DecisionCause cause,
            List<DecisionCause> causes,
            Injection injection,
            String helpText,
            List<CandidateVerdict> candidates)
            implements Verdict {

        public Denied {
            causes = List.copyOf(causes);
            candidates = List.copyOf(candidates);
        }

        /** Creates a denial without results of candidate resources. */
        public Denied(
                Reason reason, DecisionCause cause, List<DecisionCause> causes, Injection injection, String helpText) {
            this(reason, cause, causes, injection, helpText, List.of());
        }

        @Override
        public Denied with(DecisionCause more) {
            List<DecisionCause> all = new ArrayList<>(causes);
            all.add(more);
            return new Denied(reason, cause, all, injection, helpText, candidates);
        }

        @Override
        public Denied judged(List<CandidateVerdict> judged) {
            return new Denied(reason, cause, causes, injection, helpText, judged);
        }
    }

    /** The way in which a pod was admitted. Logs and audit annotations contain the {@code word}. */
    enum Outcome {
        /** The pod gets the resources that it requests. */
        UNCHANGED("unchanged"),
        /** The pod gets other resources, or the missing limit of a GPU. */
        CHANGED("changed"),
        /** The requested resources are not available, and the policy keeps the pod as written. */
        KEPT("kept"),
        /** Sluice cannot evaluate the pod, so the pod is kept as written. */
        UNTOUCHED("untouched");

        private final String word;

        Outcome(String word) {
            this.word = word;
        }

        /** Returns the reasons that can occur with this outcome. */
        public List<Reason> reasons() {
            return switch (this) {
                case UNCHANGED -> List.of(Reason.OFFERED, Reason.EXHAUSTED, Reason.INJECTED);
                case CHANGED -> List.of(Reason.NOT_OFFERED, Reason.EXHAUSTED, Reason.OFFERED);
                case KEPT -> List.of(Reason.KEPT_AS_WRITTEN, Reason.NO_GPU_IN_CLUSTER, Reason.GATED);
                case UNTOUCHED ->
                    List.of(
                            Reason.INVALID_QUANTITY,
                            Reason.TOO_MANY_COMBINATIONS,
                            Reason.MALFORMED_POD,
                            Reason.CANNOT_BE_EVALUATED,
                            Reason.PATCH_NOT_LEGAL,
                            Reason.NOT_DECIDED,
                            Reason.INTERNAL_FAULT);
            };
        }

        public String word() {
            return word;
        }
    }
}
