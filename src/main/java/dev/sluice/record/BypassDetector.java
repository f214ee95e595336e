package dev.sluice.record;

import dev.sluice.admission.request.FallbackChains;
import dev.sluice.cluster.Pod;
import dev.sluice.cluster.PodId;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Compares the GPU pods that are seen with the decisions of this process, which is the only one that decides while it
 * holds the lease. A pod counts as bypassed in two cases only:
 *
 * <ul>
 *   <li>The pod was seen for the first time after every pod that a former holder of the lease may have admitted, and
 *       this process made no decision about a pod that may have this name.
 *   <li>The pod was created after the former holder can have admitted its last pod, according to what that holder wrote
 *       in the lease, and this process made no decision about it.
 * </ul>
 *
 * All other pods are ignored, because missing a bypassed pod is better than reporting a pod that was decided. It is not
 * thread-safe.
 */
public final class BypassDetector {

    /**
     * The maximum number of pods that are kept: pods that were created recently, or that wait for the lease. A pod
     * takes about 300 bytes.
     */
    static final int MOST = 4_096;

    /** The largest difference between the clocks of the gateways and of the API server that is allowed for. */
    static final Duration SKEW = Duration.ofMinutes(1);

    private static final PodId FIRST = new PodId(Long.MIN_VALUE, Long.MIN_VALUE);

    private final Duration longestCreate;
    private final DecidedNames decided;
    private final TreeMap<PodBirth, Newcomer> pods = new TreeMap<>();
    /**
     * Pods that were created before this moment are ignored, because they were seen before or there was no room for
     * them.
     */
    private Instant ignoredBefore = Instant.MIN;

    private Instant proved = Instant.MIN;
    private Optional<SoleTerm> term = Optional.empty();
    private Instant aloneUntil = Instant.MIN;
    /** The moment since which this process knows every decision that may be about a new pod. */
    private Instant clearSince = Instant.MIN;

    /**
     * A period in which only this process decides.
     *
     * @param othersUntil the moment until which other processes may have decided, by the clock of this process
     * @param formerEnded the moment from which the former holder decided nothing, by its own clock; {@link Instant#MAX}
     *     if unknown
     */
    public record SoleTerm(Instant othersUntil, Instant formerEnded) {}

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
     * @param longestCreate the longest time between a decision about a pod and the moment at which the pod is stored
     */
    public BypassDetector(Duration longestCreate) {
        this.longestCreate = longestCreate;
        this.decided = new DecidedNames(longestCreate);
    }

    /** Notes a decision of this process. Dry runs and denials are ignored, because they create no pod. */
    public void decided(DecisionRecord decision, Instant now) {
        if (decision.kind() != DecisionKind.DENIED
                && !decision.pod().head().dryRun()
                && !decided.add(decision.pod().head(), now)) {
            discardSightings(now);
        }
    }

    /**
     * Forgets all pods seen so far. It is called when the policy has changed or when decisions could not be kept,
     * because the pods prove nothing then.
     */
    public void discardSightings(Instant now) {
        clearSince = later(clearSince, now.plus(SKEW));
        ignoredBefore = later(ignoredBefore, clearSince.plus(longestCreate));
        pods.clear();
    }

    /**
     * Begins or prolongs a term. Only this process decides, at least until {@code until}. After a pause the same term
     * may continue.
     */
    public void begin(SoleTerm begun, Instant until, Instant now) {
        if (!term.equals(Optional.of(begun))) {
            term = Optional.of(begun);
            clearSince = later(clearSince, later(begun.othersUntil(), now));
        }
        aloneUntil = until;
    }

    /** Notes that this process does not decide now. */
    public void pause() {
        aloneUntil = Instant.MIN;
    }

    /** Notes that every change of pods stored before this moment has been seen. */
    public void proved(Instant moment) {
        if (moment.isAfter(proved)) {
            proved = moment;
            ignoredBefore = later(ignoredBefore, moment.minus(SKEW));
            decided.seenUpTo(moment);
            forgetJudged();
        }
    }

    /**
     * Returns the moment since which every GPU pod seen for the first time has been compared; empty if pods are not
     * compared now.
     */
    public Optional<Instant> completeSince(Instant now) {
        Instant since = clearSince.plus(longestCreate);
        return isComplete(now) ? Optional.of(since) : Optional.empty();
    }

    /**
     * Returns true if pods are compared now. The clock is read, because a suspended process does not notice that others
     * have decided meanwhile.
     */
    private boolean isComplete(Instant now) {
        return now.isBefore(aloneUntil) && !proved.isBefore(clearSince.plus(longestCreate));
    }

    /**
     * Notes that a pod exists.
     *
     * @param chains the fallback chains of its namespace
     * @param cause the cause to report if nobody has decided about the pod although this process could have
     */
    public void seen(Pod pod, FallbackChains chains, BypassCause cause, Instant now) {
        if (pod.requests().anyMatch((name, amount) -> amount > 0 && chains.isGpu(name))) {
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
     * Returns the bypassed pods, each of them only once.
     *
     * @param seenUpTo the moment before which pods were seen whose decisions have all been published
     */
    public List<BypassedPod> judge(Instant seenUpTo, Instant now) {
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
     * Removes the judged pods that were created before {@code ignoredBefore}. If such a pod is seen again, it is
     * ignored anyway.
     */
    private void forgetJudged() {
        pods.headMap(new PodBirth(ignoredBefore, FIRST)).values().removeIf(pod -> pod.state() == SightingState.JUDGED);
    }

    /**
     * Returns true if the former holder cannot have admitted a pod created at this moment, however long its creation
     * took.
     */
    private boolean isAfterOthers(Instant created) {
        Instant latest = created.minus(SKEW).minus(longestCreate);
        return term.filter(now -> !latest.isBefore(now.formerEnded())).isPresent();
    }

    private static Instant later(Instant one, Instant other) {
        return one.isAfter(other) ? one : other;
    }
}
