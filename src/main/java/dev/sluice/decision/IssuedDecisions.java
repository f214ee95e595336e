package dev.sluice.decision;

import dev.sluice.bus.message.DecideRequest;
import dev.sluice.decide.Reason;
import dev.sluice.decide.Verdict;
import dev.sluice.request.GpusByContainer;
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
final class IssuedDecisions {

    /** Beyond so many the oldest are forgotten; a pod of theirs that comes again is counted twice for a while. */
    private static final int MOST = 16_384;

    /** An answer of more steps and warnings is made anew when the call is repeated. */
    private static final int MOST_STEPS = 64;

    /** Of uid, namespace and name; what is longer comes from no API server. */
    private static final int MOST_LETTERS = 1_024;

    /** A usual answer takes 1 or 2 KiB; one beyond this is made anew, too. */
    private static final long MOST_BYTES_OF_ONE = 16 * 1024;

    /** Of all answers: a 24th of the heap of 192 MiB, and enough for as many usual ones as decisions can be kept. */
    private static final long MOST_BYTES = 8L << 20;

    /**
     * One answer.
     *
     * @param pod the hash of the pod that was asked about
     * @param gpus the hash of what its containers ask of GPUs once the answer is applied
     * @param answer null where it is too large to be kept
     * @param bytes about what the answer takes; 0 without
     * @param room whether the pod was promised room
     */
    record IssuedDecision(
            String uid,
            String namespace,
            String podName,
            int pod,
            int gpus,
            String stamp,
            Verdict.Outcome outcome,
            Reason reason,
            Verdict.@Nullable Allowed answer,
            long bytes,
            boolean room) {

        static IssuedDecision of(DecideRequest question, String stamp, Verdict.Allowed answer, boolean room) {
            long bytes = AnswerWeight.of(answer);
            boolean tooLarge =
                    answer.patch().size() + answer.warnings().size() > MOST_STEPS || bytes > MOST_BYTES_OF_ONE;
            return new IssuedDecision(
                    question.uid(),
                    question.namespace(),
                    question.podName(),
                    question.pod().hashCode(),
                    GpusByContainer.of(question.pod(), question.policy(), answer.moves())
                            .hashCode(),
                    stamp,
                    answer.outcome(),
                    answer.reason(),
                    tooLarge ? null : answer,
                    tooLarge ? 0 : bytes,
                    room);
        }

        IssuedDecision withoutAnswer() {
            return new IssuedDecision(uid, namespace, podName, pod, gpus, stamp, outcome, reason, null, 0, room);
        }

        /** The same pod once more, in another call. */
        IssuedDecision repeatedBy(DecideRequest question, Verdict.Allowed second) {
            int hash = question.pod().hashCode();
            long weight = AnswerWeight.of(second);
            return new IssuedDecision(
                    question.uid(), namespace, podName, hash, gpus, stamp, outcome, reason, second, weight, room);
        }

        /**
         * The answer when the pod comes again: nothing is changed, and a pod that was changed asks now for what it got.
         */
        Verdict.Allowed again() {
            if (outcome != Verdict.Outcome.CHANGED) {
                return allowed(outcome, reason);
            }
            boolean waits = reason == Reason.EXHAUSTED && !room;
            return allowed(Verdict.Outcome.UNCHANGED, waits ? Reason.EXHAUSTED : Reason.OFFERED);
        }

        private static Verdict.Allowed allowed(Verdict.Outcome outcome, Reason reason) {
            return Verdict.Allowed.unpatched(outcome, reason, List.of());
        }
    }

    /** In the order of their giving; a pod that came again is here twice. */
    private final Map<String, IssuedDecision> byUid = new LinkedHashMap<>();

    /** Those that may come again; in the order of their giving. */
    private final Map<String, IssuedDecision> byStamp = new LinkedHashMap<>();

    private final BiPredicate<String, String> isAssumed;
    private long bytes;

    /**
     * {@code awaited} tells of a stamp and its namespace whether a pod with it may still be seen for the first time.
     */
    IssuedDecisions(BiPredicate<String, String> awaited) {
        this.isAssumed = awaited;
    }

    void add(IssuedDecision given) {
        if (isTooLong(given.uid(), given)) {
            return;
        }
        keep(given);
        // A pod that comes again gets an answer of its own, so the first one is kept once, where it is counted.
        byStamp.put(given.stamp(), given.withoutAnswer());
        if (byStamp.size() > MOST) {
            var _ = forgetFirst(byStamp.values().iterator());
        }
    }

    private static boolean isTooLong(String uid, IssuedDecision given) {
        return uid.length() + given.namespace().length() + given.podName().length() > MOST_LETTERS;
    }

    private void keep(IssuedDecision given) {
        IssuedDecision kept = bytes + given.bytes() > MOST_BYTES ? given.withoutAnswer() : given;
        bytes += kept.bytes();
        IssuedDecision before = byUid.put(kept.uid(), kept);
        bytes -= before == null ? 0 : before.bytes();
        if (byUid.size() > MOST) {
            bytes -= forgetFirst(byUid.values().iterator()).bytes();
        }
    }

    private static IssuedDecision forgetFirst(Iterator<IssuedDecision> answers) {
        IssuedDecision first = answers.next();
        answers.remove();
        return first;
    }

    int size() {
        return byStamp.size();
    }

    /** Throws out those whose pods were seen meanwhile, or can come no more. */
    void sweep() {
        byUid.values().removeIf(old -> !isAssumed(old));
        byStamp.values().removeIf(old -> !isAssumed(old));
        bytes = byUid.values().stream().mapToLong(IssuedDecision::bytes).sum();
    }

    /** The API server repeats a call of which it got no answer. */
    Optional<Verdict> repeated(DecideRequest question) {
        return sameCall(question).map(IssuedDecision::answer);
    }

    /** As {@link #repeated}, where the answer was not kept. */
    Optional<IssuedDecision> unkept(DecideRequest question) {
        return sameCall(question).filter(given -> given.answer() == null);
    }

    private Optional<IssuedDecision> sameCall(DecideRequest question) {
        return Optional.ofNullable(byUid.get(question.uid()))
                .filter(given ->
                        isFor(given, question) && given.pod() == question.pod().hashCode());
    }

    /**
     * The pod bears a stamp that was given for it in the same request, for the first time: others have changed it
     * since, but not what its containers ask of GPUs.
     */
    Optional<IssuedDecision> reinvoked(DecideRequest question) {
        return Optional.ofNullable(question.pod().annotations().stamp())
                .map(byStamp::get)
                .filter(given -> isFor(given, question) && given.gpus() == gpus(question));
    }

    private static int gpus(DecideRequest question) {
        return GpusByContainer.of(question.pod(), question.policy(), List.of()).hashCode();
    }

    /** The answer to the second and last call about the same pod: the API server asks no webhook a third time. */
    Verdict again(IssuedDecision given, DecideRequest question) {
        Verdict.Allowed second = given.again();
        byStamp.remove(given.stamp());
        if (!isTooLong(question.uid(), given)) {
            keep(given.repeatedBy(question, second));
        }
        return second;
    }

    private boolean isFor(IssuedDecision given, DecideRequest question) {
        return given.namespace().equals(question.namespace())
                && given.podName().equals(question.podName())
                && isAssumed(given);
    }

    private boolean isAssumed(IssuedDecision given) {
        return isAssumed.test(given.stamp(), given.namespace());
    }
}
