package dev.sluice.lease;

import dev.sluice.admission.verdict.Reason;
import dev.sluice.admission.verdict.Verdict;
import dev.sluice.bus.DecideRequest;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.function.BiPredicate;
import org.jspecify.annotations.Nullable;

/**
 * The answers for pods that were not seen yet, for calls that are repeated and webhooks that are reinvoked. Little is
 * kept of each, because everybody who may create pods must not be able to fill the memory.
 */
final class IssuedDecisions {

    /** Of more the oldest are forgotten; at a reinvocation their pods are counted twice for a while. */
    private static final int MOST = 16_384;

    /** An answer with more steps and warnings is made anew when the call is repeated. */
    private static final int MOST_STEPS = 64;

    /** The limit for uid, namespace and name together; no API server sends more. */
    private static final int MOST_LETTERS = 1_024;

    /** A usual answer takes 1 or 2 KiB; a larger one than this is made anew, too. */
    private static final long MOST_BYTES_OF_ONE = 16 * 1024;

    /** A 24th of the heap of 192 MiB, and enough for as many usual answers as decisions can be kept. */
    private static final long MOST_BYTES = 8L << 20;

    /**
     * One answer.
     *
     * @param pod the hash of the pod in the request
     * @param answer null if it is too large to be kept
     * @param bytes about what the answer takes; 0 if there is none
     * @param room whether the pod was promised room
     */
    record IssuedDecision(
            String uid,
            String namespace,
            String podName,
            int pod,
            String stamp,
            Verdict.Outcome outcome,
            Reason reason,
            Verdict.@Nullable Allowed answer,
            long bytes,
            boolean room) {

        static IssuedDecision of(DecideRequest request, String stamp, Verdict.Allowed answer, boolean room) {
            long bytes = AnswerWeight.of(answer);
            boolean tooLarge = answer.patch().size() + answer.causes().size() > MOST_STEPS || bytes > MOST_BYTES_OF_ONE;
            return new IssuedDecision(
                    request.uid(),
                    request.namespace(),
                    request.podName(),
                    request.pod().hashCode(),
                    stamp,
                    answer.outcome(),
                    answer.reason(),
                    tooLarge ? null : answer,
                    tooLarge ? 0 : bytes,
                    room);
        }

        IssuedDecision withoutAnswer() {
            return new IssuedDecision(uid, namespace, podName, pod, stamp, outcome, reason, null, 0, room);
        }

        /** Nothing is said again of a pod that gets the same answer. */
        private Verdict.Allowed told(Verdict.Allowed second) {
            boolean same = second.outcome() == outcome
                    && second.reason() == reason
                    && second.moves().isEmpty()
                    && second.patch().isEmpty();
            return same ? Verdict.Allowed.unpatched(outcome, reason, List.of()) : second;
        }
    }

    /** The oldest is first; a pod with a reinvocation is here twice. */
    private final SequencedMap<String, IssuedDecision> byUid = new LinkedHashMap<>();

    /** The decisions whose webhook may be reinvoked, the oldest first. */
    private final SequencedMap<String, IssuedDecision> byStamp = new LinkedHashMap<>();

    private final BiPredicate<String, String> isAssumed;
    private long bytes;

    /** {@code isAssumed} tells whether the pod of a stamp and its namespace was not seen yet. */
    IssuedDecisions(BiPredicate<String, String> isAssumed) {
        this.isAssumed = isAssumed;
    }

    void add(IssuedDecision decision) {
        if (isTooLong(decision.uid(), decision)) {
            return;
        }
        keep(decision);
        // A reinvocation gets an answer of its own, so the first answer is kept only where it is counted.
        byStamp.put(decision.stamp(), decision.withoutAnswer());
        if (byStamp.size() > MOST) {
            var _ = byStamp.pollFirstEntry();
        }
    }

    private static boolean isTooLong(String uid, IssuedDecision decision) {
        return uid.length() + decision.namespace().length() + decision.podName().length() > MOST_LETTERS;
    }

    private void keep(IssuedDecision decision) {
        IssuedDecision kept = bytes + decision.bytes() > MOST_BYTES ? decision.withoutAnswer() : decision;
        bytes += kept.bytes();
        IssuedDecision before = byUid.put(kept.uid(), kept);
        bytes -= before == null ? 0 : before.bytes();
        if (byUid.size() > MOST) {
            bytes -= byUid.pollFirstEntry().getValue().bytes();
        }
    }

    int size() {
        return byStamp.size();
    }

    /** Forgets those whose pods were seen meanwhile, or can no longer appear. */
    void sweep() {
        byUid.values().removeIf(old -> !isAssumed(old));
        byStamp.values().removeIf(old -> !isAssumed(old));
        bytes = byUid.values().stream().mapToLong(IssuedDecision::bytes).sum();
    }

    /** The API server repeats a call if it got no answer. */
    Optional<Verdict> repeated(DecideRequest request) {
        return sameCall(request).map(IssuedDecision::answer);
    }

    /** As {@link #repeated}, if the answer was not kept. */
    Optional<IssuedDecision> unkept(DecideRequest request) {
        return sameCall(request).filter(decision -> decision.answer() == null);
    }

    private Optional<IssuedDecision> sameCall(DecideRequest request) {
        return Optional.ofNullable(byUid.get(request.uid()))
                .filter(decision -> isFor(decision, request)
                        && decision.pod() == request.pod().hashCode());
    }

    /** The pod has the stamp of an earlier call of what may be the same request. */
    Optional<IssuedDecision> reinvoked(DecideRequest request) {
        return Optional.ofNullable(request.pod().annotations().stamp())
                .map(byStamp::get)
                .filter(decision -> isFor(decision, request));
    }

    /** The second and last answer about the same pod: the API server calls no webhook a third time. */
    Verdict again(IssuedDecision earlier, DecideRequest request, Verdict.Allowed second, boolean room) {
        Verdict.Allowed told = earlier.told(second);
        byStamp.remove(earlier.stamp());
        if (!isTooLong(request.uid(), earlier)) {
            keep(IssuedDecision.of(request, earlier.stamp(), told, room));
        }
        return told;
    }

    private boolean isFor(IssuedDecision decision, DecideRequest request) {
        return decision.namespace().equals(request.namespace())
                && decision.podName().equals(request.podName())
                && isAssumed(decision);
    }

    private boolean isAssumed(IssuedDecision decision) {
        return isAssumed.test(decision.stamp(), decision.namespace());
    }
}
