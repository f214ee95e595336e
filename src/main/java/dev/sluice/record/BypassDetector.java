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
 * Compares the GPU pods that are seen with what was decided, in a process that alone decides while it holds the lease.
 * A pod is bypassed in two cases only:
 *
 * <ul>
 *   <li>It was seen for the first time after everything that a former holder may have admitted, and nothing was decided
 *       here about a pod that may have this name.
 *   <li>It was created after the former holder can have admitted a last pod, by that holder's own word in the lease,
 *       and nothing was decided here.
 * </ul>
 *
 * Everything else is passed over: it is better to miss a pod than to accuse one. Has one owner.
 */
public final class BypassDetector {

    /** What is kept of pods that were created lately, or that wait for the lease. A pod has about 300 bytes here. */
    static final int MOST = 4_096;

    /** The clocks of the gateways and of the API server may differ by so much. */
    static final Duration SKEW = Duration.ofMinutes(1);

    private static final PodId FIRST = new PodId(Long.MIN_VALUE, Long.MIN_VALUE);

    private final Duration longestCreate;
    private final DecidedNames decided;
    private final TreeMap<PodBirth, Newcomer> pods = new TreeMap<>();
    /** Pods that were created before are passed over: they were seen before, or there was no room for them. */
    private Instant passedOverBefore = Instant.MIN;

    private Instant proved = Instant.MIN;
    private Optional<SoleTerm> term = Optional.empty();
    private Instant aloneUntil = Instant.MIN;
    /** From here on everything is known that bears on a pod. */
    private Instant clearSince = Instant.MIN;

    /**
     * A period in which only this process decides.
     *
     * @param othersUntil others may have decided until then, by the clock of this process
     * @param formerEnded the former holder decided nothing from then on, by its own clock; {@link Instant#MAX} if
     *     unknown
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
        /** Others may have decided about it. */
        EARLY,
        /** Only this process can have decided about it. */
        OURS,
        JUDGED
    }

    private record Newcomer(String name, SightingState state, BypassCause cause, Instant seen) {
        Newcomer judged() {
            return new Newcomer("", SightingState.JUDGED, cause, seen);
        }
    }

    /** @param longestCreate how long a pod that was decided about may take to be stored */
    public BypassDetector(Duration longestCreate) {
        this.longestCreate = longestCreate;
        this.decided = new DecidedNames(longestCreate);
    }

    /** A decision was made here. A dry run makes no pod, and neither does a denial. */
    public void decided(DecisionRecord decision, Instant now) {
        if (decision.kind() != DecisionKind.DENIED
                && !decision.pod().head().dryRun()
                && !decided.add(decision.pod().head(), now)) {
            discardSightings(now);
        }
    }

    /** What was seen until now proves nothing, because the policy has changed or decisions could not be kept. */
    public void discardSightings(Instant now) {
        clearSince = later(clearSince, now.plus(SKEW));
        passedOverBefore = later(passedOverBefore, clearSince.plus(longestCreate));
        pods.clear();
    }

    /** Only this process decides, until then at least. After a pause it may be the same term. */
    public void begin(SoleTerm begun, Instant until, Instant now) {
        if (!term.equals(Optional.of(begun))) {
            term = Optional.of(begun);
            clearSince = later(clearSince, later(begun.othersUntil(), now));
        }
        aloneUntil = until;
    }

    /** This process does not decide now. */
    public void pause() {
        aloneUntil = Instant.MIN;
    }

    /** Every change of pods that was stored before this moment has been seen. */
    public void proved(Instant moment) {
        if (moment.isAfter(proved)) {
            proved = moment;
            passedOverBefore = later(passedOverBefore, moment.minus(SKEW));
            decided.seenUpTo(moment);
            forgetJudged();
        }
    }

    /** From when on every GPU pod that was seen for the first time is compared; empty if that is not so now. */
    public Optional<Instant> completeSince(Instant now) {
        Instant since = clearSince.plus(longestCreate);
        return isComplete(now) ? Optional.of(since) : Optional.empty();
    }

    /** A process that was suspended does not notice that others have decided meanwhile, but its clock says it. */
    private boolean isComplete(Instant now) {
        return now.isBefore(aloneUntil) && !proved.isBefore(clearSince.plus(longestCreate));
    }

    /**
     * A pod exists.
     *
     * @param chains of its namespace
     * @param cause if nobody has decided about it although this process could have
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
        if (birth.created().isBefore(passedOverBefore) || pods.containsKey(birth)) {
            return;
        }
        pods.put(
                birth,
                isComplete(now)
                        ? new Newcomer(pod.name(), SightingState.OURS, cause, now)
                        : new Newcomer(pod.name(), SightingState.EARLY, BypassCause.NOT_DECIDING, now));
        if (pods.size() > MOST) {
            passedOverBefore = pods.pollFirstEntry().getKey().created().plusSeconds(1);
        }
    }

    /**
     * The pods that were bypassed, each once.
     *
     * @param seenUpTo all decisions about pods that were seen before this moment have been told
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

    /** Pods that were created before that moment are passed over anyway. */
    private void forgetJudged() {
        pods.headMap(new PodBirth(passedOverBefore, FIRST))
                .values()
                .removeIf(pod -> pod.state() == SightingState.JUDGED);
    }

    /** By the clocks of others: the former holder cannot have admitted it, however long its creation took. */
    private boolean isAfterOthers(Instant created) {
        Instant latest = created.minus(SKEW).minus(longestCreate);
        return term.filter(now -> !latest.isBefore(now.formerEnded())).isPresent();
    }

    private static Instant later(Instant one, Instant other) {
        return one.isAfter(other) ? one : other;
    }
}
