package dev.sluice.admission.verdict;

import dev.sluice.admission.injection.Injection;
import dev.sluice.admission.patch.PatchOperation;
import dev.sluice.admission.request.Move;
import dev.sluice.admission.request.PodAnnotations;
import dev.sluice.cluster.quantity.ResourceName;
import java.util.ArrayList;
import java.util.List;

/** What becomes of a pod, as data. */
public sealed interface Verdict {

    /** The CPU and memory that the pod gets with its GPUs, or why it is refused for them. */
    Injection injection();

    /** What became of the first candidates that were looked at. */
    List<JudgedCandidate> candidates();

    /** The same verdict with one more cause; nothing changes where the user is told nothing. */
    Verdict with(DecisionCause cause);

    /** The same verdict, with what became of the first candidates; nothing changes where none was looked for. */
    Verdict judged(List<JudgedCandidate> candidates);

    /** The pod asks for no GPU. */
    record NoGpu() implements Verdict {
        @Override
        public Injection injection() {
            return Injection.NOTHING;
        }

        @Override
        public List<JudgedCandidate> candidates() {
            return List.of();
        }

        @Override
        public NoGpu with(DecisionCause cause) {
            return this;
        }

        @Override
        public NoGpu judged(List<JudgedCandidate> candidates) {
            return this;
        }
    }

    /**
     * The pod is admitted.
     *
     * @param moves the substitutions; empty unless the outcome is {@code CHANGED}
     * @param causes what its user is told
     * @param patch empty if the pod stays as it is
     * @param injection what the patch gives the pod beside its GPUs
     * @param candidates what became of the first that were looked at; empty for a pod that gets what it asks for
     */
    record Allowed(
            Outcome outcome,
            Reason reason,
            List<Move> moves,
            List<DecisionCause> causes,
            List<PatchOperation> patch,
            Injection injection,
            List<JudgedCandidate> candidates)
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

        /** The same verdict with another patch. */
        public Allowed with(List<PatchOperation> other) {
            return new Allowed(outcome, reason, moves, causes, other, injection, candidates);
        }

        /** Returns true if the patch writes a resource of the moves, or the annotation that names them. */
        public boolean changesGpus() {
            for (PatchOperation step : patch) {
                String key = step.path().lastKey();
                if (key.equals(PodAnnotations.FALLBACK)) {
                    return true;
                }
                for (Move move : moves) {
                    if (key.equals(move.asked().value())
                            || key.equals(move.given().value())) {
                        return true;
                    }
                }
            }
            return false;
        }

        /** The same patch as an unchanged pod, with no moves and no causes. */
        public Allowed unchanged(Reason why) {
            return new Allowed(Outcome.UNCHANGED, why, List.of(), List.of(), patch, injection, List.of());
        }

        @Override
        public Allowed judged(List<JudgedCandidate> judged) {
            return new Allowed(outcome, reason, moves, causes, patch, injection, judged);
        }

        /** The pod is admitted as it is. */
        public static Allowed unpatched(Outcome outcome, Reason reason, List<DecisionCause> causes) {
            return new Allowed(outcome, reason, List.of(), causes, List.of(), Injection.NOTHING, List.of());
        }

        /** The pod is admitted as it is, because of something that the policy does not decide. */
        public static Allowed untouched(Reason reason, List<DecisionCause> causes) {
            return unpatched(Outcome.UNTOUCHED, reason, causes);
        }
    }

    /**
     * The pod is refused.
     *
     * @param cause of the refusal, which says what would work
     * @param causes what else its user is told
     * @param injection how injection refuses the pod, if that is the cause
     * @param helpText what the policy adds to each denial; empty for nothing
     * @param candidates what became of the first that were looked at
     */
    record Denied(
            Reason reason,
            DecisionCause cause,
            List<DecisionCause> causes,
            Injection injection,
            String helpText,
            List<JudgedCandidate> candidates)
            implements Verdict {

        public Denied {
            causes = List.copyOf(causes);
            candidates = List.copyOf(candidates);
        }

        /** No candidate was looked at. */
        public Denied(
                Reason reason, DecisionCause cause, List<DecisionCause> causes, Injection injection, String helpText) {
            this(reason, cause, causes, injection, helpText, List.of());
        }

        @Override
        public Denied with(DecisionCause more) {
            List<DecisionCause> all = new ArrayList<>(causes);
            all.add(more);
            return new Denied(reason, knowing(more), all, injection, helpText, candidates);
        }

        /** The same refusal, which advises nothing that one of these faults contradicts. */
        public Denied knowing(List<DecisionCause.KnownFault> faults) {
            Denied told = this;
            for (DecisionCause.KnownFault fault : faults) {
                told = new Denied(reason, told.knowing(fault), causes, injection, helpText, candidates);
            }
            return told;
        }

        private DecisionCause knowing(DecisionCause more) {
            return cause instanceof DecisionCause.NoGpuInCluster(var containers, ResourceName asked, boolean _)
                            && more instanceof DecisionCause.KnownFault fault
                            && fault.asked().equals(asked)
                    ? new DecisionCause.NoGpuInCluster(containers, asked, /* advises= */ false)
                    : cause;
        }

        @Override
        public Denied judged(List<JudgedCandidate> judged) {
            return new Denied(reason, cause, causes, injection, helpText, judged);
        }
    }

    /** How a pod was admitted. Logs and audit annotations say the {@code word}. */
    enum Outcome {
        /** The pod gets what it asked for. */
        UNCHANGED("unchanged"),
        /** The pod gets something else. */
        CHANGED("changed"),
        /** Nothing is offered, and the policy leaves the pod as it is written. */
        KEPT("kept"),
        /** The pod cannot be judged and is left as it is written. */
        UNTOUCHED("untouched");

        private final String word;

        Outcome(String word) {
            this.word = word;
        }

        /** The reasons that lead to this outcome. */
        public List<Reason> reasons() {
            return switch (this) {
                case UNCHANGED -> List.of(Reason.OFFERED, Reason.EXHAUSTED, Reason.INJECTED);
                case CHANGED -> List.of(Reason.NOT_OFFERED, Reason.EXHAUSTED);
                case KEPT -> List.of(Reason.KEPT_AS_WRITTEN, Reason.NO_GPU_IN_CLUSTER, Reason.GATED);
                case UNTOUCHED ->
                    List.of(
                            Reason.INVALID_QUANTITY,
                            Reason.TOO_MANY_COMBINATIONS,
                            Reason.MALFORMED_POD,
                            Reason.CANNOT_BE_EVALUATED,
                            Reason.PATCH_NOT_LEGAL,
                            Reason.INTERNAL_FAULT);
            };
        }

        public String word() {
            return word;
        }
    }
}
