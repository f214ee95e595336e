package dev.sluice.decision;

import dev.sluice.admission.Reason;
import dev.sluice.admission.Verdict;
import dev.sluice.bus.PodQuestion;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiPredicate;
import org.jspecify.annotations.Nullable;

/**
 * Answers that were given for pods not seen yet, for calls that are repeated and pods that come again. What it keeps of
 * each is small whatever the pod: who may create pods must not be able to fill the memory.
 */
final class Answers {

    /** Beyond so many the oldest are forgotten; a pod of theirs that comes again is counted twice for a while. */
    private static final int MOST = 16_384;

    /** An answer of more steps and warnings is made anew when the call is repeated. */
    private static final int MOST_STEPS = 64;

    /** Of uid and name; what is longer comes from no API server. */
    private static final int MOST_LETTERS = 1_024;

    /**
     * One answer.
     *
     * @param pod the hash of the pod that was asked about
     * @param answer null where it is too large to be kept
     * @param room whether the pod was promised room
     */
    record Given(
            String uid,
            String namespace,
            String podName,
            int pod,
            String stamp,
            Verdict.Outcome outcome,
            Reason reason,
            Verdict.@Nullable Allowed answer,
            boolean room) {

        static Given of(PodQuestion question, String stamp, Verdict.Allowed answer, boolean room) {
            return new Given(
                    question.uid(),
                    question.namespace(),
                    question.podName(),
                    question.pod().hashCode(),
                    stamp,
                    answer.outcome(),
                    answer.reason(),
                    answer.patch().size() + answer.warnings().size() > MOST_STEPS ? null : answer,
                    room);
        }

        /**
         * The answer when the pod comes again: nothing is changed, and a pod that was changed asks now for what it got.
         */
        Verdict again() {
            if (outcome != Verdict.Outcome.CHANGED) {
                return allowed(outcome, reason);
            }
            boolean waits = reason == Reason.EXHAUSTED && !room;
            return allowed(Verdict.Outcome.UNCHANGED, waits ? Reason.EXHAUSTED : Reason.OFFERED);
        }

        private static Verdict allowed(Verdict.Outcome outcome, Reason reason) {
            return Verdict.Allowed.unpatched(outcome, reason, List.of());
        }
    }

    /** In the order of their giving, both. */
    private final Map<String, Given> byUid = new LinkedHashMap<>();

    private final Map<String, Given> byStamp = new LinkedHashMap<>();
    private final BiPredicate<String, String> awaited;

    /**
     * {@code awaited} tells of a stamp and its namespace whether a pod with it may still be seen for the first time.
     */
    Answers(BiPredicate<String, String> awaited) {
        this.awaited = awaited;
    }

    void add(Given given) {
        if (given.uid().length() + given.podName().length() > MOST_LETTERS) {
            return;
        }
        byUid.put(given.uid(), given);
        byStamp.put(given.stamp(), given);
        if (byStamp.size() > MOST) {
            forgetFirst(byUid.values().iterator());
            forgetFirst(byStamp.values().iterator());
        }
    }

    private static void forgetFirst(Iterator<Given> answers) {
        answers.next();
        answers.remove();
    }

    int size() {
        return byStamp.size();
    }

    /** Throws out those whose pods were seen meanwhile, or can come no more. */
    void sweep() {
        byUid.values().removeIf(old -> !isAwaited(old));
        byStamp.values().removeIf(old -> !isAwaited(old));
    }

    /** The API server repeats a call of which it got no answer. */
    Optional<Verdict> repeated(PodQuestion question) {
        return Optional.ofNullable(byUid.get(question.uid()))
                .filter(given ->
                        isFor(given, question) && given.pod() == question.pod().hashCode())
                .map(Given::answer);
    }

    /** The pod bears a stamp that was given for it in the same request: others have changed it since. */
    Optional<Given> reinvoked(PodQuestion question) {
        return Optional.ofNullable(question.pod().annotations().stamp())
                .map(byStamp::get)
                .filter(given -> isFor(given, question));
    }

    private boolean isFor(Given given, PodQuestion question) {
        return given.namespace().equals(question.namespace())
                && given.podName().equals(question.podName())
                && isAwaited(given);
    }

    private boolean isAwaited(Given given) {
        return awaited.test(given.stamp(), given.namespace());
    }
}
