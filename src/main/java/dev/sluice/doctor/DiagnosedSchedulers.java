package dev.sluice.doctor;

import dev.sluice.doctor.DiagnosisCause.Evidence;
import dev.sluice.doctor.facts.ClusterFacts;
import dev.sluice.doctor.facts.EventFacts;
import dev.sluice.doctor.facts.PodDemandFacts;
import dev.sluice.doctor.facts.PodFacts;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Finds out whether a scheduler other than the default scheduler runs. */
final class DiagnosedSchedulers {

    /**
     * The maximum age of the Lease of a scheduler that runs. It is four times the default lease duration of 15 seconds.
     */
    private static final Duration LEASE = Duration.ofSeconds(60);

    /** The label that Volcano sets on the pods of its Jobs. */
    private static final String VOLCANO_JOB = "volcano.sh/job-name";

    private static final int LENGTH_OF_UID = 36;

    private static final GroupEvents NO_GROUPS = new GroupEvents();

    /**
     * Matches the message that Volcano repeats for each waiting group. The message does not say what the group waits
     * for.
     */
    private static final Pattern BARE =
            Pattern.compile("\\d+/\\d+ tasks in gang unschedulable: pod group is not ready,.*");

    /**
     * The longest time between two events of the same scheduling round of Volcano. In one round, Volcano says that a
     * group is not ready and also why.
     */
    private static final Duration ROUND = Duration.ofMinutes(1);

    private static final String SHARES =
            " runs and does not place the pod. Nothing else keeps the pod off, and only that scheduler knows"
                    + " which shares of GPUs are free.";

    private final ClusterFacts cluster;
    private final TreeSet<String> readyPods = new TreeSet<>();
    /**
     * Holds the names of the running schedulers: the values of {@code --scheduler-name} in ready pods, and the
     * components that reported recent events.
     */
    private final Set<String> running = new HashSet<>();
    /** Holds the newest event of each component. */
    private final Map<String, EventFacts> newest = new HashMap<>();
    /**
     * Maps the namespace and the component to the events of the component in that namespace, without events about pods.
     */
    private final Map<String, GroupEvents> groups = new HashMap<>();

    /**
     * Holds the newest events of one component in one namespace about objects other than pods, such as PodGroups. The
     * maps find the group of a pod without a search through all groups.
     */
    private static final class GroupEvents {

        private final Map<String, EventFacts> byName = new HashMap<>();
        private final Map<String, EventFacts> byUid = new HashMap<>();
        private final Map<String, EventFacts> byJob = new HashMap<>();
        private @Nullable EventFacts newest;

        void add(EventFacts event) {
            String name = event.name();
            newest = newest == null ? event : telling(newest, event);
            if (name.isEmpty()) {
                return;
            }
            byName.merge(name, event, DiagnosedSchedulers::telling);
            byJob.merge(name, event, DiagnosedSchedulers::telling);
            int uid = name.length() - LENGTH_OF_UID;
            if (uid >= 0) {
                byUid.merge(name.substring(uid), event, DiagnosedSchedulers::telling);
            }
            if (uid > 1 && name.charAt(uid - 1) == '-') {
                byJob.merge(name.substring(0, uid - 1), event, DiagnosedSchedulers::telling);
            }
        }

        /**
         * Returns the newest event about the pod's group; empty if there is none. A group belongs to the pod if its
         * name ends with the UID of the pod or of the pod's owner (Volcano, KAI), is the name of the pod's Job with or
         * without a UID (Volcano), or is the value of a label of the pod.
         */
        Optional<EventFacts> of(PodFacts pod) {
            Map<String, String> labels = pod.ask().labels();
            return Stream.concat(
                            Stream.of(
                                    byUid.get(pod.uid()),
                                    byUid.get(pod.owner()
                                            .map(PodFacts.OwnerReference::uid)
                                            .orElse("")),
                                    byJob.get(labels.getOrDefault(VOLCANO_JOB, ""))),
                            labels.values().stream().map(byName::get))
                    .flatMap(Stream::ofNullable)
                    .reduce(DiagnosedSchedulers::telling);
        }
    }

    public DiagnosedSchedulers(ClusterFacts cluster) {
        this.cluster = cluster;
        for (PodFacts pod : cluster.pods()) {
            if (pod.isRunningAndReady()) {
                readyPods.add(pod.name());
                running.addAll(pod.schedulers());
            }
        }
        for (EventFacts event : cluster.events()) {
            newest.merge(event.component(), event, DiagnosedSchedulers::later);
            if (!event.kind().equals("Pod")) {
                groups.computeIfAbsent(event.namespace() + "/" + event.component(), _ -> new GroupEvents())
                        .add(event);
            }
            if (event.time() != null && cluster.isFresh(event.time())) {
                running.add(event.component());
            }
        }
    }

    /** Returns the later of two events, or {@code first} if both have the same time. */
    private static EventFacts later(EventFacts first, EventFacts second) {
        return EventFacts.later(second, first);
    }

    /**
     * Returns the later of two events about groups. If both events are of the same scheduling round and only the
     * earlier one says why the group waits, returns the earlier one.
     */
    private static EventFacts telling(EventFacts first, EventFacts second) {
        EventFacts later = later(first, second);
        EventFacts earlier = later.equals(first) ? second : first;
        Instant end = later.time();
        Instant start = earlier.time();
        boolean sameRound =
                start != null && end != null && Duration.between(start, end).compareTo(ROUND) <= 0;
        return sameRound && isBare(later) && !isBare(earlier) ? earlier : later;
    }

    private static boolean isBare(EventFacts event) {
        return BARE.matcher(event.text()).matches();
    }

    public boolean runs(String scheduler) {
        return renews(scheduler) || hasPod(scheduler) || running.contains(scheduler);
    }

    private boolean renews(String scheduler) {
        Instant renewed = cluster.leases().get(scheduler);
        return renewed != null && cluster.isWithin(renewed, LEASE);
    }

    private boolean hasPod(String scheduler) {
        String next = readyPods.ceiling(scheduler);
        return next != null && next.startsWith(scheduler);
    }

    /**
     * Returns the cause if the pod's scheduler does not run.
     *
     * @param said the scheduler's newest message about the pod; empty if there is none
     */
    public Optional<DiagnosisCause> missing(PodDemandFacts ask, String said) {
        return ask.isForDefaultScheduler() || runs(ask.schedulerName())
                ? Optional.empty()
                : Optional.of(cause(
                        ask,
                        said.isEmpty() ? newest(ask) : said,
                        "Nothing shows that the scheduler " + ask.schedulerName()
                                + " runs: it has no lease that was renewed within 60 s, no ready pod and no recent"
                                + " event, so nobody places the pod."));
    }

    /**
     * Returns the cause for a pod whose scheduler runs but does not place it, although the pod fits a node.
     *
     * @param said the scheduler's newest message about the pod; empty if there is none
     */
    public DiagnosisCause holdsBack(PodFacts pod, String said) {
        PodDemandFacts ask = pod.ask();
        Optional<String> own = Optional.of(said)
                .filter(text -> !text.isEmpty())
                .or(() -> groups(ask).of(pod).map(EventFacts::text));
        return cause(
                ask,
                own.orElse(""),
                "The scheduler " + ask.schedulerName()
                        + (ask.asksForShare()
                                ? SHARES
                                : " runs and holds the pod back for reasons of its own, such as a queue or a gang: nodes would"
                                        + " have room.")
                        + (own.isPresent() ? "" : ofOthers(ask)));
    }

    /**
     * Returns a sentence that quotes the newest message of the pod's scheduler about an object other than a pod, such
     * as a PodGroup, in the pod's namespace. The object may belong to other pods. Returns an empty text if there is no
     * such message.
     */
    private String ofOthers(PodDemandFacts ask) {
        return Optional.ofNullable(groups(ask).newest)
                .map(event -> " Its newest message in namespace " + ask.namespace() + " is about " + event.kind() + " "
                        + event.name() + ": \"" + event.text() + "\".")
                .orElse("");
    }

    private GroupEvents groups(PodDemandFacts ask) {
        return groups.getOrDefault(ask.namespace() + "/" + ask.schedulerName(), NO_GROUPS);
    }

    private String newest(PodDemandFacts ask) {
        return Optional.ofNullable(newest.get(ask.schedulerName()))
                .map(EventFacts::text)
                .orElse("");
    }

    private DiagnosisCause cause(PodDemandFacts ask, String message, String text) {
        return new DiagnosisCause(
                DiagnosisCode.OTHER_SCHEDULER,
                text + (message.isEmpty() ? "" : " Its newest message: \"" + message + "\"."),
                Evidence.ofSubject("schedulerName " + ask.schedulerName() + ", which "
                        + (runs(ask.schedulerName()) ? "runs" : "is not seen to run")));
    }
}
