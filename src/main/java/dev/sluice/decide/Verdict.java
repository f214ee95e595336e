package dev.sluice.decide;

import dev.sluice.injection.Injection;
import dev.sluice.patch.PatchOperation;
import dev.sluice.request.Move;
import dev.sluice.wording.Wording;
import java.util.ArrayList;
import java.util.List;

/** What becomes of a pod. */
public sealed interface Verdict {

    /** What the pod gets beside its GPUs, or why it is refused for that. */
    Injection injection();

    /** The pod asks for no GPU: nothing to say about it. */
    record NoGpu() implements Verdict {
        @Override
        public Injection injection() {
            return Injection.NOTHING;
        }
    }

    /**
     * The pod is admitted.
     *
     * @param moves what was exchanged, empty unless the outcome is {@code CHANGED}
     * @param patch empty where the pod stays as it is
     * @param injection what the patch gives the pod beside its GPUs
     */
    record Allowed(
            Outcome outcome,
            Reason reason,
            List<Move> moves,
            List<String> warnings,
            List<PatchOperation> patch,
            Injection injection)
            implements Verdict {

        public Allowed {
            moves = List.copyOf(moves);
            warnings = List.copyOf(warnings);
            patch = List.copyOf(patch);
        }

        /** The same, with this warning too, of which no more than users are shown is kept. */
        public Allowed warned(String warning) {
            List<String> all = new ArrayList<>(warnings);
            all.add(Wording.sentence(warning));
            return new Allowed(outcome, reason, moves, all, patch, injection);
        }

        /** Admitted as it is. */
        public static Allowed unpatched(Outcome outcome, Reason reason, List<String> warnings) {
            return new Allowed(outcome, reason, List.of(), warnings, List.of(), Injection.NOTHING);
        }

        /** Admitted as it is, because of something that the policy does not decide. */
        public static Allowed untouched(Reason reason, List<String> warnings) {
            return unpatched(Outcome.UNTOUCHED, reason, warnings);
        }
    }

    /**
     * The pod is refused; the message says why and what would work.
     *
     * @param injection where that is what refuses it, how
     */
    record Denied(Reason reason, String message, List<String> warnings, Injection injection) implements Verdict {
        public Denied {
            warnings = List.copyOf(warnings);
        }
    }

    /** How a pod was admitted; {@code word} is what log and audit say. */
    enum Outcome {
        /** What was asked is offered. */
        UNCHANGED("unchanged"),
        /** Something else is given. */
        CHANGED("changed"),
        /** Nothing is offered; left as written by policy. */
        KEPT("kept"),
        /** Left as written because it cannot be judged. */
        UNTOUCHED("untouched");

        private final String word;

        Outcome(String word) {
            this.word = word;
        }

        /** Those that lead to it. */
        public List<Reason> reasons() {
            return switch (this) {
                case UNCHANGED -> List.of(Reason.OFFERED, Reason.EXHAUSTED, Reason.INJECTED);
                case CHANGED -> List.of(Reason.NOT_OFFERED, Reason.EXHAUSTED);
                case KEPT -> List.of(Reason.KEPT_AS_WRITTEN, Reason.NO_GPU_IN_CLUSTER);
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
