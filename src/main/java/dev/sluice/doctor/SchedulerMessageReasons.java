package dev.sluice.doctor;

import dev.sluice.doctor.facts.ClusterFactKind;
import dev.sluice.doctor.facts.ClusterFacts;
import dev.sluice.doctor.facts.EventFacts;
import dev.sluice.doctor.facts.PodAffinityFacts;
import dev.sluice.doctor.facts.PodDemandFacts;
import dev.sluice.doctor.facts.PodFacts;
import dev.sluice.doctor.facts.PodFacts.Message;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Finds the scheduler's newest message about each pod. Finds the reasons in this message that the collected objects do
 * not show. The patterns match old and new messages of kube-scheduler's plugins VolumeBinding, VolumeZone,
 * NodeVolumeLimits, InterPodAffinity, PodTopologySpread, NodePorts and DynamicResources.
 */
final class SchedulerMessageReasons {

    private static final Comparator<Message> BY_TIME =
            Comparator.comparing(Message::time, Comparator.nullsFirst(Comparator.naturalOrder()));

    private static final Pattern VOLUME = Pattern.compile(
            "(?i)persistent ?volume|volume node affinity|volume zone|max volume count|\\bpvc|free storage|"
                    + "ephemeral volume|unbound immediate|storageclass|volumebinding|binding volumes|no available disk");
    private static final Pattern PEERS = Pattern.compile(
            "(?i)pod (anti-)?affinity|pods anti-affinity|pod topology spread|topology spread constraint");
    /** Matches the message that the anti-affinity of running pods excludes this pod. */
    private static final Pattern EXISTING = Pattern.compile("(?i)existing pods anti-affinity");

    private static final Pattern SPREAD = Pattern.compile("(?i)topology spread");
    private static final Pattern PORT = Pattern.compile("(?i)free ports");
    private static final Pattern CLAIM = Pattern.compile("(?i)resource ?claim|allocate all claims|deviceclass");

    /**
     * Matches the messages of kube-scheduler's plugin for gangs, and the messages of kubernetes-sigs/scheduler-plugins.
     * Many clusters build the latter into their default scheduler.
     */
    private static final Pattern GANG = Pattern.compile(
            "(?i)\\bgang\\b|pod ?group|sibling pods|minMember|minCount|waiting on permit|at plugin \\w*coscheduling");

    /** Matches the reasons of kube-scheduler's own plugins. Other parts of the diagnosis handle these reasons. */
    private static final Pattern OWN = Pattern.compile(
            "(?i)\\binsufficient |too many pods|taint|unschedulable|node affinity|node selector|requested node name|"
                    + "no nodes available|not ready|unreachable|pressure|out of disk|declared features|preemption|"
                    + VOLUME + "|" + PEERS + "|" + PORT + "|" + CLAIM);

    private static final String AVAILABLE = " nodes are available: ";

    /** Matches the error of a scheduler that cannot ask one of its extenders. */
    private static final Pattern EXTENDER = Pattern.compile("(?i)\\bextender\\b|^(post|get) \"?https?://");

    /** Matches the message of the plugin NodeResourceTopologyMatch of kubernetes-sigs/scheduler-plugins. */
    private static final Pattern NUMA = Pattern.compile("(?i)cannot align |\\bnuma");

    /**
     * Matches the event reasons that report an error. The errors of autoscalers are excluded, because
     * {@link AutoscalerMessages} explains them.
     */
    private static final Pattern ERROR = Pattern.compile("(?!FailedScaleUp).*(?:Error|Fail).*");

    private static final Pattern NOT_ELIGIBLE = Pattern.compile("(not eligible due to preemptionPolicy=Never)");

    /** The reason of the condition PodScheduled if the scheduler does not try to place the pod yet (KEP-5501). */
    private static final String NOT_READY = "NotReadyForScheduling";

    /**
     * The event reasons for pods that were not placed. HAMi's scheduler reports FilteringFailed and BindingFailed. If a
     * pod has a scheduler other than the default one, the events of that scheduler are used whatever their reason is:
     * KAI reports Unschedulable, for example, and YuniKorn reports Scheduling.
     */
    private static final Set<String> FAILURES = Set.of("FailedScheduling", "FilteringFailed", "BindingFailed");

    private final ClusterFacts cluster;
    /** Maps a pod and a reporting component to the newest message. */
    private final Map<String, Message> newestEvents = new HashMap<>();
    /**
     * Maps a pod to the newest message of any component. Other components, such as autoscalers, report events under the
     * same reason as the scheduler. Therefore this message is used only if the pod's own scheduler has reported
     * nothing.
     */
    private final Map<String, Message> newestOfAnyone = new HashMap<>();

    /**
     * Maps a pod to the newest event in which a component other than a scheduler reports an error. An example is a
     * syncer, which copies pods into another cluster to have them scheduled there. The event is used only if no
     * scheduler has reported anything about the pod.
     */
    private final Map<String, EventFacts> errors = new HashMap<>();

    public SchedulerMessageReasons(ClusterFacts cluster) {
        this.cluster = cluster;
        Set<String> others = cluster.pods().stream()
                .map(PodFacts::ask)
                .filter(ask -> !ask.isForDefaultScheduler())
                .map(PodDemandFacts::schedulerName)
                .collect(Collectors.toSet());
        for (EventFacts event : cluster.events()) {
            if (event.kind().equals("Pod") && FAILURES.contains(event.reason())) {
                add(newestEvents, event, "/" + event.component());
                add(newestOfAnyone, event, "");
            } else if (event.kind().equals("Pod") && others.contains(event.component())) {
                add(newestEvents, event, "/" + event.component());
            } else if (event.kind().equals("Pod")
                    && ERROR.matcher(event.reason()).matches()) {
                errors.merge(key(event.namespace(), event.name(), event.uid()), event, EventFacts::later);
            }
        }
    }

    /**
     * Returns the cause if no scheduler has reported anything about the pod, and another component has recently
     * reported an error about it.
     */
    Optional<DiagnosisCause> ofAnotherComponent(PodFacts pod) {
        return newest(pod).isPresent()
                ? Optional.empty()
                : Stream.of("", pod.uid())
                        .flatMap(uid -> Stream.ofNullable(errors.get(key(pod.namespace(), pod.name(), uid))))
                        .filter(event -> cluster.isFresh(event.time()))
                        .reduce(EventFacts::later)
                        .map(event -> new DiagnosisCause(
                                DiagnosisCode.CONSTRAINT_MISMATCH,
                                "A node seems to have room for the pod, but no scheduler has said anything about it, and "
                                        + (event.component().isEmpty() ? "an event" : event.component()) + " says ("
                                        + event.reason() + "): \"" + event.text() + "\".",
                                DiagnosisCause.Evidence.ofSubject(event.reason() + ": " + event.text())));
    }

    private static void add(Map<String, Message> newest, EventFacts event, String by) {
        newest.merge(
                key(event.namespace(), event.name(), event.uid()) + by,
                new Message(event.reason(), event.text(), event.time()),
                SchedulerMessageReasons::later);
    }

    /**
     * Returns the cause if the scheduler says that it does not try to place the pod yet. The age of this condition does
     * not matter: when the scheduler tries, it changes the condition.
     */
    Optional<DiagnosisCause> notReady(PodFacts pod) {
        return Optional.ofNullable(pod.unscheduled())
                .filter(said -> said.reason().equals(NOT_READY))
                .filter(said -> !blamesClaims(said.text()))
                .map(said -> heldBack("The scheduler does not try to place the pod yet", said));
    }

    /**
     * Returns a sentence if the scheduler says that the pod does not preempt others because its preemptionPolicy is
     * Never; empty otherwise.
     */
    Optional<String> whyNotPreempting(PodFacts pod) {
        Matcher found = NOT_ELIGIBLE.matcher(fresh(pod));
        return found.find()
                ? Optional.of("The pod does not preempt others, whatever their priority: it is " + found.group(1) + ".")
                : Optional.empty();
    }

    /** Returns the cause if the newest message is recent and says that the pod waits for other pods of its gang. */
    Optional<DiagnosisCause> waitsForItsGang(PodFacts pod) {
        return newestOfItsScheduler(pod)
                .filter(this::isFresh)
                .filter(said -> GANG.matcher(said.text()).find())
                .map(said -> heldBack(
                        "A node has room for the pod, but the scheduler places the pods of its gang together or not"
                                + " at all",
                        said));
    }

    /**
     * Returns the cause if the newest message is recent and gives a reason that the diagnosis cannot check: an error,
     * or the reason of a plugin or an extender that is not a part of kube-scheduler.
     */
    Optional<DiagnosisCause> ofAnotherPlugin(PodFacts pod) {
        return newestOfItsScheduler(pod)
                .filter(this::isFresh)
                .flatMap(said -> reasonOfAnotherPlugin(filters(said.text())));
    }

    private static Optional<DiagnosisCause> reasonOfAnotherPlugin(String text) {
        int list = text.indexOf(AVAILABLE);
        return list < 0
                ? Optional.of(text)
                        .filter(error -> !OWN.matcher(error).find())
                        .map(error -> unchecked(
                                "the attempt of the scheduler ends with an error",
                                error,
                                EXTENDER.matcher(error).find()
                                        ? " It asks an extender: look at the pods of that extender, and at its URL in"
                                                + " the scheduler's configuration."
                                        : " The log of the scheduler says more."))
                : Stream.of(text.substring(list + AVAILABLE.length()).split(", (?=\\d)", -1))
                        .map(SchedulerMessageReasons::withoutCount)
                        .filter(reason -> !OWN.matcher(reason).find())
                        .findFirst()
                        .map(reason -> unchecked(
                                "the scheduler refuses it for a reason of a plugin or an extender that was added",
                                reason,
                                NUMA.matcher(reason).find()
                                        ? " On no NUMA node is enough free of all that the pod asks for together."
                                        : " The log of the scheduler, or of its extender, says more."));
    }

    /** Returns the reason in a clause, for example {@code node(s) had a taint} in {@code 2 node(s) had a taint.} */
    private static String withoutCount(String clause) {
        int space = clause.indexOf(' ');
        boolean counts = space > 0 && clause.chars().limit(space).allMatch(Character::isDigit);
        String reason = counts ? clause.substring(space + 1) : clause;
        return reason.endsWith(".") ? reason.substring(0, reason.length() - 1) : reason;
    }

    private static DiagnosisCause unchecked(String why, String quoted, String next) {
        return new DiagnosisCause(
                DiagnosisCode.CONSTRAINT_MISMATCH,
                "A node seems to have room for the pod, but " + why + ": \"" + quoted + "\"." + next,
                DiagnosisCause.Evidence.ofSubject("the scheduler says: " + quoted));
    }

    private static DiagnosisCause heldBack(String why, Message said) {
        return new DiagnosisCause(
                DiagnosisCode.SCHEDULING_GATED,
                why + ": \"" + said.text() + "\".",
                DiagnosisCause.Evidence.ofSubject("the scheduler says: " + said.text()));
    }

    private static Message later(Message one, Message other) {
        return BY_TIME.compare(one, other) > 0 ? one : other;
    }

    private static String key(String namespace, String name, String uid) {
        return namespace + "/" + name + "/" + uid;
    }

    /**
     * Returns the newest message about the pod, from an event or from the PodScheduled condition; empty if there is
     * none. Messages of the pod's own scheduler take precedence, because other components, such as Karpenter, report
     * events under the same reason. An event without the pod's UID is used, too.
     */
    public Optional<Message> newest(PodFacts pod) {
        return newestOfItsScheduler(pod)
                .or(() -> events(pod, newestOfAnyone, "").max(BY_TIME));
    }

    /** Returns the newest message of the pod's own scheduler; empty if there is none. */
    public Optional<Message> newestOfItsScheduler(PodFacts pod) {
        String scheduler = pod.ask().schedulerName().isEmpty()
                ? "default-scheduler"
                : pod.ask().schedulerName();
        return Stream.of(
                        Stream.ofNullable(pod.unscheduled()),
                        events(pod, newestEvents, "/" + scheduler),
                        events(pod, newestEvents, "/"))
                .flatMap(said -> said)
                .max(BY_TIME);
    }

    private static Stream<Message> events(PodFacts pod, Map<String, Message> said, String by) {
        return Stream.of("", pod.uid())
                .map(uid -> said.get(key(pod.namespace(), pod.name(), uid) + by))
                .filter(Objects::nonNull);
    }

    /**
     * Returns the text of the newest message; empty if the message is missing or older than ten minutes. If no events
     * were collected, the message is used at any age: it comes from the PodScheduled condition, whose time is not the
     * time of the scheduler's last attempt.
     */
    public String fresh(PodFacts pod) {
        return newest(pod)
                .filter(said -> isFresh(said) || !cluster.has(ClusterFactKind.EVENTS))
                .map(Message::text)
                .orElse("");
    }

    public boolean isFresh(Message message) {
        Instant said = message.time();
        return cluster.isFresh(said);
    }

    /** Returns true if the message is about resource claims. */
    public static boolean blamesClaims(String text) {
        return CLAIM.matcher(text).find();
    }

    /**
     * Returns the reasons in a message that the diagnosis cannot check itself, each with the part of the message that
     * names the reason. Reasons about pod affinity and topology spread are left out if the diagnosis can check these
     * constraints in full.
     *
     * @param text the scheduler's message
     * @param peers the affinity and spread constraints of the pod
     * @param othersAreExact true if the anti-affinity of all bound pods can be evaluated
     */
    static List<PodObstacle> unseen(String text, PodAffinityFacts peers, boolean othersAreExact) {
        // The scheduler applies its default spread constraints to a pod without spread constraints of its own. The
        // diagnosis does not know these defaults, so it cannot evaluate them.
        boolean ownAreEvaluated =
                peers.exact() && (!peers.isEmpty() || !SPREAD.matcher(text).find());
        boolean evaluated =
                ownAreEvaluated && (othersAreExact || !EXISTING.matcher(text).find());
        return Stream.of(
                        told(text, VOLUME, DiagnosedMismatchReason.VOLUME),
                        evaluated
                                ? Optional.<PodObstacle>empty()
                                : told(text, PEERS, DiagnosedMismatchReason.POD_AFFINITY),
                        told(text, PORT, DiagnosedMismatchReason.PORT))
                .flatMap(Optional::stream)
                .toList();
    }

    private static Optional<PodObstacle> told(String text, Pattern pattern, DiagnosedMismatchReason reason) {
        String filters = filters(text);
        return pattern.matcher(filters)
                .results()
                .findFirst()
                .map(match -> new PodObstacle.Mismatch(
                        reason, "the scheduler says \"" + clause(filters, match.start(), match.end()) + "\""));
    }

    /**
     * Returns the message without the part about preemption. That part repeats reasons, and can contain other reasons.
     */
    static String filters(String text) {
        int preemption = text.indexOf("preemption:");
        return (preemption < 0 ? text : text.substring(0, preemption)).strip();
    }

    private static String clause(String text, int start, int end) {
        int from = Math.max(text.lastIndexOf(", ", start), text.lastIndexOf(": ", start));
        int to = text.indexOf(", ", end);
        String clause = text.substring(from < 0 ? 0 : from + 2, to < 0 ? text.length() : to);
        String stripped = clause.strip();
        return stripped.endsWith(".") ? stripped.substring(0, stripped.length() - 1) : stripped;
    }
}
