package dev.sluice.record.events;

import dev.sluice.cluster.Pod;
import dev.sluice.cluster.PodId;
import dev.sluice.cluster.quantity.ResourceName;
import dev.sluice.record.BypassCause;
import dev.sluice.record.BypassedPod;
import dev.sluice.record.DecisionRecord;
import dev.sluice.record.RecordedDecisionKind;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Predicate;

/**
 * Finds GPU pods that no gateway decided about, by comparing the pods that the watch reports with the decisions of this
 * process. The comparison is possible only while this process holds the Lease, because no other process decides then. A
 * pod counts as one that bypassed the gateway if no decision of this process matches it, and one of these conditions is
 * met:
 *
 * <ul>
 *   <li>The pod appeared after this process had seen every pod that a former holder of the Lease may have admitted.
 *   <li>The pod was created after the former holder of the Lease had stopped deciding. The former holder writes this
 *       time into the Lease.
 * </ul>
 *
 * All other pods are ignored, because a missed pod is better than a false report. A decision about a pod with
 * generateName matches every name that begins with it. This class is not thread-safe.
 */
final class BypassDetector {

    /**
     * The maximum number of pods that are kept. A pod is kept while it is recent, or until it is compared with the
     * decisions. The comparison is possible only while this process holds the Lease. A pod takes about 300 bytes.
     */
    static final int MOST = 4_096;

    /** The largest assumed difference between the clocks of the gateways and of the API server. */
    static final Duration SKEW = Duration.ofMinutes(1);

    private static final PodId FIRST = new PodId(Long.MIN_VALUE, Long.MIN_VALUE);

    private final Duration longestCreate;
    private final RecordedPodNames decided;
    private final TreeMap<PodBirth, Newcomer> pods = new TreeMap<>();
    /**
     * Pods that were created before this time are ignored. They were compared or discarded before, or were dropped
     * because there were more than {@link #MOST} pods.
     */
    private Instant ignoredBefore = Instant.MIN;

    private Instant proved = Instant.MIN;
    private Optional<SoleTerm> term = Optional.empty();
    private Instant aloneUntil = Instant.MIN;
    /** This process has recorded every decision that was made after this time. */
    private Instant clearSince = Instant.MIN;

    /**
     * A period in which only this process decides.
     *
     * @param othersUntil the latest time at which another process may have decided, by the clock of this process
     * @param formerEnded the time at which the former holder of the Lease stopped deciding, by the clock of that
     *     holder; {@link Instant#MAX} if unknown
     */
    record SoleTerm(Instant othersUntil, Instant formerEnded) {}

    private record PodBirth(Instant created, PodId id) implements Comparable<PodBirth> {
        private static final Comparator<PodBirth> ORDER = Comparator.comparing(PodBirth::created)
                .thenComparingLong(birth -> birth.id().high())
                .thenComparingLong(birth -> birth.id().low());

        @Override
        public int compareTo(PodBirth other) {
            return ORDER.compare(this, other);
        }
    }

    private enum SightingState {
        /** Another process may have decided about the pod. */
        EARLY,
        /** Only this process can have decided about the pod. */
        OURS,
        JUDGED
    }

    private record Newcomer(String name, SightingState state, BypassCause cause, Instant seen) {
        Newcomer judged() {
            return new Newcomer("", SightingState.JUDGED, cause, seen);
        }
    }

    /**
     * Creates a detector.
     *
     * @param longestCreate the longest time between a decision about a pod and the storage of the pod by the API server
     */
    BypassDetector(Duration longestCreate) {
        this.longestCreate = longestCreate;
        this.decided = new RecordedPodNames(longestCreate);
    }

    /** Records a decision of this process. Dry runs and enforced denials are ignored, because they create no pod. */
    void decided(DecisionRecord decision, Instant now) {
        if ((decision.kind() != RecordedDecisionKind.DENIED || decision.isObserved())
                && !decision.pod().head().dryRun()
                && !decided.add(decision.pod().head(), now)) {
            discardSightings(now);
        }
    }

    /**
     * Removes all pods that the watch has reported so far. The caller calls this method when decisions about these pods
     * may be missing: the policy or the resource names of DRA have changed, another process may decide, or a decision
     * could not be kept.
     */
    void discardSightings(Instant now) {
        clearSince = later(clearSince, now.plus(SKEW));
        ignoredBefore = later(ignoredBefore, clearSince.plus(longestCreate));
        pods.clear();
    }

    /**
     * Begins a period in which only this process decides, or extends the current period. The period lasts at least
     * until {@code until}. If {@link #pause} has interrupted the current period, this method continues it.
     */
    void begin(SoleTerm begun, Instant until, Instant now) {
        if (!term.equals(Optional.of(begun))) {
            term = Optional.of(begun);
            clearSince = later(clearSince, later(begun.othersUntil(), now));
        }
        aloneUntil = until;
    }

    /** Records that this process does not decide about pods now, so another process may decide. */
    void pause() {
        aloneUntil = Instant.MIN;
    }

    /** Records that the watch has reported all changes of pods that the API server stored before this time. */
    void proved(Instant moment) {
        if (moment.isAfter(proved)) {
            proved = moment;
            ignoredBefore = later(ignoredBefore, moment.minus(SKEW));
            decided.seenUpTo(moment);
            forgetJudged();
        }
    }

    /**
     * Returns the time since which every new GPU pod has been compared with the decisions. Returns empty if pods are
     * not compared now.
     */
    Optional<Instant> completeSince(Instant now) {
        Instant since = clearSince.plus(longestCreate);
        return isComplete(now) ? Optional.of(since) : Optional.empty();
    }

    /**
     * Returns true if pods can be compared with the decisions now.
     *
     * @param now the current time. If this process was suspended, another process may have begun to decide in the
     *     meantime
     */
    private boolean isComplete(Instant now) {
        return now.isBefore(aloneUntil) && !proved.isBefore(clearSince.plus(longestCreate));
    }

    /**
     * Records a pod that the watch has reported.
     *
     * @param isGpu a predicate that is true for the resources that are GPUs in the pod's namespace
     * @param cause the cause to report if the pod turns out to have bypassed the gateway
     */
    void seen(Pod pod, Predicate<ResourceName> isGpu, BypassCause cause, Instant now) {
        if (pod.requests().anyMatch((name, amount) -> amount > 0 && isGpu.test(name))) {
            created(pod)
                    .map(created -> new PodBirth(created, pod.id()))
                    .ifPresent(birth -> add(birth, pod, cause, now));
        }
    }

    private static Optional<Instant> created(Pod pod) {
        try {
            return pod.created().isEmpty() ? Optional.empty() : Optional.of(Instant.parse(pod.created()));
        } catch (DateTimeException unknown) {
            return Optional.empty();
        }
    }

    private void add(PodBirth birth, Pod pod, BypassCause cause, Instant now) {
        if (birth.created().isBefore(ignoredBefore) || pods.containsKey(birth)) {
            return;
        }
        pods.put(
                birth,
                isComplete(now)
                        ? new Newcomer(pod.name(), SightingState.OURS, cause, now)
                        : new Newcomer(pod.name(), SightingState.EARLY, BypassCause.NOT_DECIDING, now));
        if (pods.size() > MOST) {
            ignoredBefore = pods.pollFirstEntry().getKey().created().plusSeconds(1);
        }
    }

    /**
     * Returns true if there is a pod that the watch has reported, and that has not been compared with the decisions
     * yet.
     */
    boolean hasSightings() {
        return pods.values().stream().anyMatch(pod -> pod.state() != SightingState.JUDGED);
    }

    /**
     * Compares the pods that the watch has reported with the decisions, and returns the pods that bypassed the gateway.
     * Each pod is returned only once.
     *
     * @param seenUpTo only pods that the watch reported before this time are compared; the caller has recorded all
     *     decisions about these pods
     */
    List<BypassedPod> judge(Instant seenUpTo, Instant now) {
        if (!isComplete(now)) {
            return List.of();
        }
        List<BypassedPod> bypassed = new ArrayList<>();
        for (Map.Entry<PodBirth, Newcomer> entry : pods.entrySet()) {
            Newcomer pod = entry.getValue();
            if (pod.state() != SightingState.JUDGED && pod.seen().isBefore(seenUpTo)) {
                Instant created = entry.getKey().created();
                if (!decided.contains(pod.name()) && (pod.state() == SightingState.OURS || isAfterOthers(created))) {
                    bypassed.add(new BypassedPod(pod.name(), pod.cause(), created));
                }
                entry.setValue(pod.judged());
            }
        }
        forgetJudged();
        return bypassed;
    }

    /**
     * Removes the compared pods that were created before {@code ignoredBefore}. If the watch reports such a pod again,
     * it is ignored anyway.
     */
    private void forgetJudged() {
        pods.headMap(new PodBirth(ignoredBefore, FIRST)).values().removeIf(pod -> pod.state() == SightingState.JUDGED);
    }

    /**
     * Returns true if the former holder of the Lease had stopped deciding before the review of a pod that was created
     * at this time. The longest possible creation is assumed.
     */
    private boolean isAfterOthers(Instant created) {
        Instant latest = created.minus(SKEW).minus(longestCreate);
        return term.filter(now -> !latest.isBefore(now.formerEnded())).isPresent();
    }

    private static Instant later(Instant one, Instant other) {
        return one.isAfter(other) ? one : other;
    }
}
