package dev.sluice.decision;

import dev.sluice.admission.Reason;
import dev.sluice.admission.Verdict;
import dev.sluice.bus.PodQuestion;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiPredicate;

/** Answers that were given for pods not seen yet, for calls that are repeated and pods that come again. */
final class Answers {

    /** Beyond so many, those whose pods were seen meanwhile are thrown out. */
    private static final int SWEEP_AT = 1_024;

    /**
     * One answer.
     *
     * @param room whether the pod was promised room
     */
    record Given(PodQuestion question, String stamp, Verdict.Allowed verdict, boolean room) {

        String uid() {
            return question.uid();
        }

        String namespace() {
            return question.namespace();
        }

        /**
         * The answer when the pod comes again: nothing is changed, and a pod that was changed asks now for what it got.
         */
        Verdict again() {
            if (verdict.outcome() != Verdict.Outcome.CHANGED) {
                return allowed(verdict.outcome(), verdict.reason());
            }
            boolean waits = verdict.reason() == Reason.EXHAUSTED && !room;
            return allowed(Verdict.Outcome.UNCHANGED, waits ? Reason.EXHAUSTED : Reason.OFFERED);
        }

        private static Verdict allowed(Verdict.Outcome outcome, Reason reason) {
            return Verdict.Allowed.unpatched(outcome, reason, List.of());
        }
    }

    private final Map<String, Given> byUid = new LinkedHashMap<>();
    private final Map<String, Given> byStamp = new LinkedHashMap<>();
    private final BiPredicate<String, String> awaited;
    private int sweepAt = SWEEP_AT;

    /**
     * {@code awaited} tells of a stamp and its namespace whether a pod with it may still be seen for the first time.
     */
    Answers(BiPredicate<String, String> awaited) {
        this.awaited = awaited;
    }

    void add(Given given) {
        byUid.put(given.uid(), given);
        byStamp.put(given.stamp(), given);
        if (byStamp.size() > sweepAt) {
            byUid.values().removeIf(old -> !isAwaited(old));
            byStamp.values().removeIf(old -> !isAwaited(old));
            sweepAt = Math.max(SWEEP_AT, 2 * byStamp.size());
        }
    }

    /** The API server repeats a call of which it got no answer. */
    Optional<Given> repeated(PodQuestion question) {
        return Optional.ofNullable(byUid.get(question.uid()))
                .filter(given ->
                        isFor(given, question) && given.question().pod().equals(question.pod()));
    }

    /** The pod bears a stamp that was given for it in the same request: others have changed it since. */
    Optional<Given> reinvoked(PodQuestion question) {
        return Optional.ofNullable(question.pod().annotations().stamp())
                .map(byStamp::get)
                .filter(given -> isFor(given, question));
    }

    private boolean isFor(Given given, PodQuestion question) {
        return given.namespace().equals(question.namespace())
                && given.question().podName().equals(question.podName())
                && isAwaited(given);
    }

    private boolean isAwaited(Given given) {
        return awaited.test(given.stamp(), given.namespace());
    }
}
