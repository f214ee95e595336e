package dev.sluice.lease;

import dev.sluice.admission.verdict.Reason;
import dev.sluice.admission.verdict.Verdict;
import dev.sluice.bus.DecideRequest;
import dev.sluice.replication.ReplicatedDecision;
import dev.sluice.replication.ReplicatedEntry;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.function.BiPredicate;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the decisions about pods that the watch has not shown yet. An earlier decision is found here if the API server
 * repeats a call, or invokes the webhook a second time for the same pod. The number and the size of the decisions are
 * limited, so that users who create pods cannot fill the memory.
 */
final class ReservingDecisionCache {

    /**
     * The maximum number of decisions in each of the two maps. If there are more, the oldest are dropped. If the
     * webhook is invoked again for the pod of a dropped decision, the pod is counted twice until its first reservation
     * expires.
     */
    private static final int MOST = 16_384;

    /**
     * The maximum number of patch steps and warnings in an answer that is kept. A larger answer is computed again when
     * the call is repeated.
     */
    private static final int MOST_STEPS = 64;

    /** The maximum number of characters in uid, namespace and name together. The API server never sends longer ones. */
    private static final int MOST_LETTERS = 1_024;

    /**
     * The maximum size in bytes of an answer that is kept. A usual answer takes 1 or 2 KiB. An answer above the limit
     * is computed again when the call is repeated.
     */
    private static final long MOST_BYTES_OF_ONE = 16 * 1024;

    /**
     * The memory limit for all answers, in bytes. It is a 24th of the heap of 192 MiB, and enough for more than 4,000
     * usual answers. Answers above the limit are not kept, and are computed again when the call is repeated.
     */
    private static final long MOST_BYTES = 8L << 20;

    /**
     * A decision about one pod.
     *
     * @param pod the hash of the pod in the request
     * @param answer the answer; null if it is not kept, for example because it is too large
     * @param bytes the estimated size of the answer in bytes; 0 if it is not kept
     * @param room true if enough capacity for the pod was free at the time of the decision
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
            long bytes = ReservingDecisionWeight.of(answer);
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

        /**
         * Creates the entry for a decision that another replica has made and sent to this one. The entry has no answer.
         */
        static IssuedDecision of(ReplicatedEntry<ReplicatedDecision> entry) {
            ReplicatedDecision decided = entry.change();
            return new IssuedDecision(
                    entry.uid(),
                    decided.placement().namespace(),
                    decided.podName(),
                    decided.pod(),
                    entry.stamp(),
                    decided.outcome(),
                    decided.reason(),
                    null,
                    0,
                    decided.placement().promised());
        }

        IssuedDecision withoutAnswer() {
            return new IssuedDecision(uid, namespace, podName, pod, stamp, outcome, reason, null, 0, room);
        }

        /**
         * Returns the answer to the second review of a pod. If the second decision changes nothing and has the same
         * reason as the first, the answer has no warnings, because the user has already received them.
         */
        private Verdict.Allowed told(Verdict.Allowed second) {
            boolean isSame = second.outcome() == outcome
                    || (outcome == Verdict.Outcome.CHANGED && second.outcome() == Verdict.Outcome.UNCHANGED);
            return isSame
                            && second.reason() == reason
                            && second.moves().isEmpty()
                            && second.patch().isEmpty()
                    ? Verdict.Allowed.unpatched(second.outcome(), reason, List.of())
                    : second;
        }
    }

    /**
     * The decisions by the uid of the admission request, oldest first. There are two entries for a pod for which the
     * webhook was reinvoked.
     */
    private final SequencedMap<String, IssuedDecision> byUid = new LinkedHashMap<>();

    /**
     * The decisions by their stamp, the identifier that Sluice writes into the pod. The oldest is first. A decision is
     * kept here only while the webhook may be invoked a second time for its pod.
     */
    private final SequencedMap<String, IssuedDecision> byStamp = new LinkedHashMap<>();

    private final BiPredicate<String, String> isAssumed;
    private long bytes;

    /**
     * @param isAssumed returns true if the watch has not shown the pod of a decision yet; its arguments are the stamp
     *     (the identifier) and the namespace of the decision
     */
    ReservingDecisionCache(BiPredicate<String, String> isAssumed) {
        this.isAssumed = isAssumed;
    }

    void add(IssuedDecision decision) {
        if (isTooLong(decision.uid(), decision)) {
            return;
        }
        keep(decision);
        // The entry by stamp needs no answer, because a second invocation gets a new one. Only the entry by uid counts
        // for the memory limit.
        byStamp.put(decision.stamp(), decision.withoutAnswer());
        if (byStamp.size() > MOST) {
            var _ = byStamp.pollFirstEntry();
        }
    }

    /**
     * Adds a decision of another replica, without its answer. If its stamp is already known, the decision was made for
     * the second invocation of the webhook. The entry by stamp is then removed, because the API server does not invoke
     * a webhook a third time for the same pod.
     */
    void follow(ReplicatedEntry<ReplicatedDecision> entry) {
        IssuedDecision decision = IssuedDecision.of(entry);
        if (byStamp.remove(entry.stamp()) == null) {
            add(decision);
        } else if (!isTooLong(entry.uid(), decision)) {
            keep(decision);
        }
    }

    /**
     * Drops the answers, because another replica may have decided since they were made. If a call is repeated, its pod
     * is decided again.
     */
    void dropAnswers() {
        byUid.replaceAll((_, decision) -> decision.withoutAnswer());
        bytes = 0;
    }

    private static boolean isTooLong(String uid, IssuedDecision decision) {
        return isTooLong(uid, decision.namespace(), decision.podName());
    }

    private static boolean isTooLong(String uid, String namespace, String podName) {
        return uid.length() + namespace.length() + podName.length() > MOST_LETTERS;
    }

    /**
     * Returns the uid under which other replicas keep this decision. It is usually the uid of the call. It is the stamp
     * if a call for another pod had the same uid, or if uid, namespace and name are too long.
     */
    String replicatedUid(DecideRequest request, String stamp) {
        boolean taken = byUid.containsKey(request.uid()) && sameCall(request).isEmpty();
        return taken || isTooLong(request.uid(), request.namespace(), request.podName()) ? stamp : request.uid();
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

    /** Removes the decisions about pods that the watch has shown, or that can no longer appear. */
    void sweep() {
        byUid.values().removeIf(old -> !isAssumed(old));
        byStamp.values().removeIf(old -> !isAssumed(old));
        bytes = byUid.values().stream().mapToLong(IssuedDecision::bytes).sum();
    }

    /**
     * Returns the earlier decision for the same call. The API server and other replicas repeat a call if they got no
     * answer. The answer in the decision is null if it was not kept, or if another replica made the decision.
     */
    Optional<IssuedDecision> sameCall(DecideRequest request) {
        return Optional.ofNullable(byUid.get(request.uid()))
                .filter(decision -> isFor(decision, request)
                        && decision.pod() == request.pod().hashCode());
    }

    /**
     * Returns the earlier decision whose stamp is in the pod. Such a stamp shows that the API server invokes the
     * webhook a second time for the same request of the user.
     */
    Optional<IssuedDecision> reinvoked(DecideRequest request) {
        return Optional.ofNullable(request.pod().annotations().stamp())
                .map(byStamp::get)
                .filter(decision -> isFor(decision, request));
    }

    /**
     * Keeps and returns the second answer for a pod. There is no third one, because the API server calls a webhook at
     * most twice for the same pod.
     */
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
