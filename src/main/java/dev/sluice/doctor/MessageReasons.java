package dev.sluice.doctor;

import dev.sluice.doctor.facts.ClusterFacts;
import dev.sluice.doctor.facts.EventFacts;
import dev.sluice.doctor.facts.Peers;
import dev.sluice.doctor.facts.PodFacts;
import dev.sluice.doctor.facts.PodFacts.Message;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The scheduler's newest message about each pod, and what it says that a snapshot cannot show. The texts are those of
 * kube-scheduler's plugins (VolumeBinding, VolumeZone, NodeVolumeLimits, InterPodAffinity, PodTopologySpread,
 * NodePorts, DynamicResources); older and newer wordings occur.
 */
final class MessageReasons {

    private static final Comparator<Message> BY_TIME =
            Comparator.comparing(Message::time, Comparator.nullsFirst(Comparator.naturalOrder()));

    private static final Pattern VOLUME = Pattern.compile(
            "(?i)persistent ?volume|volume node affinity|volume zone|max volume count|\\bpvc|free storage|"
                    + "ephemeral volume|unbound immediate|storageclass|volumebinding|binding volumes|no available disk");
    private static final Pattern PEERS = Pattern.compile(
            "(?i)pod (anti-)?affinity|pods anti-affinity|pod topology spread|topology spread constraint");
    /** The anti-affinity of pods that run. */
    private static final Pattern EXISTING = Pattern.compile("(?i)existing pods anti-affinity");

    private static final Pattern SPREAD = Pattern.compile("(?i)topology spread");
    private static final Pattern PORT = Pattern.compile("(?i)free ports");
    private static final Pattern CLAIM = Pattern.compile("(?i)resource ?claim|allocate all claims|deviceclass");

    private final ClusterFacts cluster;
    /** By the pod and who said it. */
    private final Map<String, Message> newestEvents = new HashMap<>();
    /** By the pod alone: autoscalers give their events the scheduler's reason. */
    private final Map<String, Message> newestOfAnyone = new HashMap<>();

    public MessageReasons(ClusterFacts cluster) {
        this.cluster = cluster;
        for (EventFacts event : cluster.events()) {
            if (event.kind().equals("Pod") && event.reason().equals("FailedScheduling")) {
                String pod = key(event.namespace(), event.name(), event.uid());
                Message said = new Message(event.reason(), event.text(), event.time());
                newestEvents.merge(pod + "/" + event.component(), said, MessageReasons::later);
                newestOfAnyone.merge(pod, said, MessageReasons::later);
            }
        }
    }

    private static Message later(Message one, Message other) {
        return BY_TIME.compare(one, other) > 0 ? one : other;
    }

    private static String key(String namespace, String name, String uid) {
        return namespace + "/" + name + "/" + uid;
    }

    /**
     * The newest message of the pod's events, with or without its uid, and of its condition PodScheduled. What the
     * pod's own scheduler says goes before what others say under the same reason, such as Karpenter.
     */
    public Optional<Message> newest(PodFacts pod) {
        return newestOfItsScheduler(pod)
                .or(() -> events(pod, newestOfAnyone, "").max(BY_TIME));
    }

    /** The same without what others say. */
    public Optional<Message> newestOfItsScheduler(PodFacts pod) {
        String scheduler = pod.ask().isForDefaultScheduler()
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

    /** The newest message where it is fresh; its text, or empty. */
    public String fresh(PodFacts pod) {
        return newest(pod).filter(this::isFresh).map(Message::text).orElse("");
    }

    public boolean isFresh(Message message) {
        Instant said = message.time();
        return cluster.isFresh(said);
    }

    /** True where the message speaks of resource claims. */
    public static boolean blamesClaims(String text) {
        return CLAIM.matcher(text).find();
    }

    /**
     * The reasons in a message that cannot be checked, with the part of the text that names each. What it says of pod
     * affinity and topology spread is ignored if these could be evaluated in full.
     *
     * @param othersAreExact what the pods that run demand of their peers can be evaluated
     */
    static List<Obstacle> unseen(String text, Peers peers, boolean othersAreExact) {
        // A pod without constraints of its own gets those that its scheduler is configured with.
        boolean ownAreEvaluated =
                peers.exact() && (!peers.isEmpty() || !SPREAD.matcher(text).find());
        boolean evaluated =
                ownAreEvaluated && (othersAreExact || !EXISTING.matcher(text).find());
        return Stream.of(
                        told(text, VOLUME, MismatchReason.VOLUME),
                        evaluated ? Optional.<Obstacle>empty() : told(text, PEERS, MismatchReason.POD_AFFINITY),
                        told(text, PORT, MismatchReason.PORT))
                .flatMap(Optional::stream)
                .toList();
    }

    private static Optional<Obstacle> told(String text, Pattern pattern, MismatchReason reason) {
        // The part about preemption repeats reasons, and can name others.
        String filters = text.replaceFirst("(?s)preemption:.*", "");
        return pattern.matcher(filters)
                .results()
                .findFirst()
                .map(match -> new Obstacle.Mismatch(
                        reason, "the scheduler says \"" + clause(filters, match.start(), match.end()) + "\""));
    }

    private static String clause(String text, int start, int end) {
        int from = Math.max(text.lastIndexOf(", ", start), text.lastIndexOf(": ", start));
        int to = text.indexOf(", ", end);
        String clause = text.substring(from < 0 ? 0 : from + 2, to < 0 ? text.length() : to);
        return clause.strip().replaceFirst("\\.$", "");
    }
}
