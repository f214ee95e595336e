package dev.sluice.cli.offline;

import dev.sluice.admission.request.ActivePolicy;
import dev.sluice.admission.request.GpuRequest;
import dev.sluice.admission.request.NamespacePolicy;
import dev.sluice.admission.request.PodRequest;
import dev.sluice.admission.request.PodRequestReplacement;
import dev.sluice.admission.verdict.DecisionCause;
import dev.sluice.admission.verdict.Reason;
import dev.sluice.admission.verdict.Verdict;
import dev.sluice.admission.verdict.VerdictTexts;
import dev.sluice.admission.verdict.Wording;
import dev.sluice.api.ClusterContents;
import dev.sluice.cli.offline.ReplayedCreation.Fate;
import dev.sluice.cli.offline.ReplayedCreation.InputKind;
import dev.sluice.cluster.ClusterSnapshot;
import dev.sluice.cluster.Pod;
import dev.sluice.cluster.PodEvent;
import dev.sluice.cluster.PodId;
import dev.sluice.cluster.quantity.Amounts;
import dev.sluice.lease.ReservingDecisions.DecidedAnswer;
import dev.sluice.ledger.Ledger;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Decides pods again in the order of their creation, with a clock that shows the time of the creation. In availability
 * mode, a ledger keeps the resources of each pod reserved until the pod ends. After each decision, the pod is added to
 * the ledger at once, as if the watch had reported it.
 */
final class Replayer implements Consumer<ReplayedEvent> {

    /** The number of decisions after which answers that are no longer needed are removed. */
    private static final int BETWEEN_SWEEPS = 1_024;

    private record AlivePod(PodId id, String stamp, Instant created) {}

    private final ActivePolicy policy;
    private final ClusterContents contents;
    private final Consumer<ReplayedPod> results;
    private final Map<String, AlivePod> alive = new HashMap<>();

    /**
     * The names of pods that were refused in the past and would be admitted now. The keys come from {@link #keyOfTry}.
     * The input does not show when such a pod would have ended.
     */
    private final Map<String, String> endless = new HashMap<>();

    private Instant now = Instant.MIN;
    private @Nullable Ledger ledger;
    private @Nullable OfflineDecisions decisions;
    private long decided;
    private long withoutGpu;
    private long held;
    private long repeated;

    /**
     * Creates a replayer.
     *
     * @param contents the nodes and pods of the cluster. The pods are used only if the input is an audit log. Of these
     *     pods, only those that were created before the first event of the log are used
     * @param results a consumer that receives the result for each pod that asks for GPUs
     */
    Replayer(ActivePolicy policy, ClusterContents contents, Consumer<ReplayedPod> results) {
        this.policy = policy;
        this.contents = contents;
        this.results = results;
    }

    @Override
    public void accept(ReplayedEvent event) {
        boolean isOfLog = switch (event) {
            case ReplayedCreation creation -> creation.source() == InputKind.AUDIT_EVENT;
            case ReplayedEvent.PodUndecided _ -> false;
            case ReplayedEvent.PodEnd _ -> true;
        };
        Ledger known = begun(event.at(), isOfLog);
        now = now.isAfter(event.at()) ? now : event.at();
        if (policy.policies().reserve()) {
            // Tells the ledger that the watch is complete up to this time. The ledger then ends the reservations of
            // decisions whose pods have not appeared in time.
            var _ = known.apply(new PodEvent.PodsSyncedUpTo(now));
        }
        switch (event) {
            case ReplayedCreation creation -> created(creation, known);
            case ReplayedEvent.PodUndecided pod -> show(pod.name(), pod.at(), pod.bound(), known);
            case ReplayedEvent.PodEnd end -> ended(end, known);
        }
    }

    private Ledger begun(Instant first, boolean withPods) {
        Ledger known = ledger;
        if (known == null) {
            List<Pod> older = withPods
                    ? contents.pods().stream()
                            .filter(pod -> isBefore(pod.created(), first))
                            .toList()
                    : List.of();
            known = new ClusterContents(
                            contents.nodes(),
                            older,
                            contents.leftOut(),
                            contents.dra(),
                            contents.limitRanges(),
                            contents.plugin())
                    .ledger();
            ledger = known;
            decisions = new OfflineDecisions(known, () -> now);
            older.forEach(pod -> alive.put(pod.name(), new AlivePod(pod.id(), pod.stamp(), Instant.MIN)));
        }
        return known;
    }

    private static boolean isBefore(String created, Instant first) {
        return ReplayPodList.time(created).filter(first::isAfter).isPresent();
    }

    private void created(ReplayedCreation creation, Ledger known) {
        if (isRepeated(creation, known)) {
            repeated++;
            return;
        }
        PodRequest pod = ReplayedReviews.pod(creation.review());
        OfflineDecisions deciding = Objects.requireNonNull(decisions);
        DecidedAnswer answer = creation.source() == InputKind.RECORD
                ? deciding.decideByOffers(creation.review(), policy)
                : deciding.decide(creation.review(), policy);
        if (++decided % BETWEEN_SWEEPS == 0) {
            deciding.sweep();
        }
        if (answer.verdict() instanceof Verdict.NoGpu) {
            withoutGpu++;
            creation.elsewhere().ifPresent(bound -> show(creation.name(), creation.at(), bound, known));
            return;
        }
        boolean isAdmittedNow = creation.fate() == Fate.DENIED && answer.verdict() instanceof Verdict.Allowed;
        if (isAdmittedNow) {
            endless.put(keyOfTry(creation), creation.name());
        }
        if ((creation.fate() == Fate.CREATED || isAdmittedNow)
                && !answer.stamp().isEmpty()) {
            show(creation, pod, answer, known);
            held += isAdmittedNow ? 1 : 0;
        }
        results.accept(compared(creation, pod, answer.verdict(), known.snapshot()));
    }

    /**
     * Returns true if Sluice has denied the creation, but would now admit an earlier attempt to create the same pod.
     * There would then have been no further attempt. If the creation succeeded in the past, removes the pod of the
     * earlier attempt, which the new pod replaces, and returns false.
     */
    private boolean isRepeated(ReplayedCreation creation, Ledger known) {
        String key = keyOfTry(creation);
        String earlier = endless.get(key);
        if (earlier == null || creation.fate() == Fate.REFUSED_BY_OTHERS) {
            return false;
        }
        if (creation.fate() == Fate.DENIED) {
            return true;
        }
        endless.remove(key);
        remove(earlier, known);
        return false;
    }

    /**
     * Returns a text that is the same for all attempts to create the same pod. The attempts of a controller have the
     * same {@code generateName}. Pods with a generated name but without a controller are regarded as different pods.
     */
    private static String keyOfTry(ReplayedCreation creation) {
        String name = creation.review().podName();
        return name.endsWith("*") && creation.owner().isEmpty()
                ? creation.name()
                : creation.review().namespace() + "/" + name + " " + creation.owner();
    }

    /** Adds a pod to the ledger, on the node on which it ran. No decision is made about this pod. */
    private void show(String name, Instant created, Pod bound, Ledger known) {
        if (policy.policies().reserve()) {
            var _ = known.apply(new PodEvent.PodSeen(bound));
            alive.put(name, new AlivePod(bound.id(), "", created));
        }
    }

    /**
     * Adds the pod to the ledger with the resources that the new decision gives it. The ledger chooses a node for it.
     */
    private void show(ReplayedCreation creation, PodRequest pod, DecidedAnswer answer, Ledger known) {
        Amounts need = known.inFlight(answer.stamp(), creation.review().namespace(), now)
                .orElse(Amounts.NONE);
        List<PodRequestReplacement> moves =
                answer.verdict() instanceof Verdict.Allowed allowed ? allowed.moves() : List.of();
        PodId id = PodId.of(answer.stamp());
        var _ = known.apply(new PodEvent.PodSeen(new Pod(
                id,
                creation.name(),
                new Pod.Place.Unbound(
                        PodRequestReplacement.constraints(
                                pod.heldAgainstItsNode().constraints(), moves),
                        null),
                need,
                answer.stamp(),
                0,
                creation.at().toString(),
                pod.priority())));
        alive.put(creation.name(), new AlivePod(id, answer.stamp(), creation.at()));
    }

    private void ended(ReplayedEvent.PodEnd end, Ledger known) {
        AlivePod pod = alive.get(end.name());
        if (pod != null && !pod.created().isAfter(end.said())) {
            remove(end.name(), known);
        }
    }

    private void remove(String name, Ledger known) {
        AlivePod pod = alive.remove(name);
        if (pod != null) {
            var _ = known.apply(new PodEvent.PodRemoved(pod.id(), name, pod.stamp(), 0));
        }
    }

    private ReplayedPod compared(ReplayedCreation creation, PodRequest pod, Verdict verdict, ClusterSnapshot cluster) {
        String namespace = creation.review().namespace();
        NamespacePolicy here = policy.forNamespace(namespace);
        GpuRequest asked = GpuRequest.of(pod, here.policy(), cluster.claimed());
        VerdictTexts words = Wording.of(verdict);
        ReplayedOutcome before = before(creation, here, cluster);
        ReplayedOutcome after = after(verdict, asked);
        // A listed pod without a node has not started yet. If the new decision also lets it wait, the outcome is the
        // same.
        boolean isPendingToo = creation.source() == InputKind.POD
                && creation.elsewhere().isEmpty()
                && before != null
                && after.isPendingOf(before);
        return new ReplayedPod(
                creation.at(),
                namespace,
                creation.name().substring(creation.name().indexOf('/') + 1),
                creation.owner(),
                ReplayedOutcome.namesOnly(asked.resources()),
                isPendingToo ? after : before,
                after,
                word(verdict),
                reason(verdict).map(Reason::word).orElse(""),
                words.message().isEmpty() ? String.join("; ", words.warnings()) : words.message());
    }

    /** Returns the outcome of the pod in the past; null if it is not known or not compared. */
    private static @Nullable ReplayedOutcome before(
            ReplayedCreation creation, NamespacePolicy here, ClusterSnapshot cluster) {
        return switch (creation.fate()) {
            case DENIED -> ReplayedOutcome.DENIED;
            case REFUSED_BY_OTHERS -> null;
            case CREATED -> {
                PodRequest got = creation.got();
                if (got == null) {
                    yield creation.decision().equals("changed") ? ReplayedOutcome.CHANGED : null;
                }
                Amounts gpus =
                        GpuRequest.of(got, here.policy(), cluster.claimed()).need(UnaryOperator.identity());
                yield pending(
                        ReplayedOutcome.of(gpus),
                        creation.decision(),
                        creation.reason(),
                        creation.decision().equals(Verdict.Outcome.UNCHANGED.word())
                                && creation.reason().equals(Reason.EXHAUSTED.word()));
            }
        };
    }

    private static ReplayedOutcome after(Verdict verdict, GpuRequest asked) {
        return switch (verdict) {
            case Verdict.Denied _ -> ReplayedOutcome.DENIED;
            case Verdict.Allowed allowed -> {
                ReplayedOutcome gets = ReplayedOutcome.of(asked.need(PodRequestReplacement.given(allowed.moves())));
                yield pending(
                        gets,
                        allowed.outcome().word(),
                        allowed.reason().word(),
                        allowed.causes().stream().anyMatch(Replayer::isWaiting));
            }
            case Verdict.NoGpu _ -> ReplayedOutcome.of(Amounts.NONE);
        };
    }

    /** Returns the outcome of a pod that gets resources, but may have to wait for them. */
    private static ReplayedOutcome pending(ReplayedOutcome gets, String decision, String reason, boolean waits) {
        boolean kept = decision.equals(Verdict.Outcome.KEPT.word()) && !reason.equals(Reason.GATED.word());
        return kept ? gets.kept() : waits ? gets.waiting() : gets;
    }

    private static boolean isWaiting(DecisionCause cause) {
        return cause instanceof DecisionCause.Waits || cause instanceof DecisionCause.SubstitutedAndWaits;
    }

    private static String word(Verdict verdict) {
        return switch (verdict) {
            case Verdict.Denied _ -> "denied";
            case Verdict.Allowed allowed -> allowed.outcome().word();
            case Verdict.NoGpu _ -> "passed";
        };
    }

    private static Optional<Reason> reason(Verdict verdict) {
        return switch (verdict) {
            case Verdict.Denied denied -> Optional.of(denied.reason());
            case Verdict.Allowed allowed -> Optional.of(allowed.reason());
            case Verdict.NoGpu _ -> Optional.empty();
        };
    }

    /** Returns the number of pods that ask for no GPU. */
    long withoutGpu() {
        return withoutGpu;
    }

    /**
     * Returns the number of pods that were refused in the past and would be admitted now. Each of them holds GPUs until
     * the pod is created in a later attempt, or until the replay ends.
     */
    long held() {
        return held;
    }

    /**
     * Returns the number of refused creations that were left out, because an earlier attempt to create the same pod
     * would be admitted now.
     */
    long repeated() {
        return repeated;
    }
}
