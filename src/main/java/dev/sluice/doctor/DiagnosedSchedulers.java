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

/** Finds out whether a scheduler other than the default scheduler runs. */
final class DiagnosedSchedulers {

    /**
     * The maximum age of the Lease of a scheduler that runs. It is four times the default lease duration of 15 seconds.
     */
    private static final Duration LEASE = Duration.ofSeconds(60);

    /** The label that Volcano sets on the pods of its Jobs. */
    private static final String VOLCANO_JOB = "volcano.sh/job-name";

    private static final int LENGTH_OF_UID = 36;

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
     * Holds the newest event of each component and namespace, without events about pods. An event about a pod says
     * nothing about another pod.
     */
    private final Map<String, EventFacts> newestOfGroups = new HashMap<>();
    /** Holds the newest event of each component about each object that is no pod, by namespace and name. */
    private final Map<String, Map<String, EventFacts>> groups = new HashMap<>();

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
                String key = event.namespace() + "/" + event.component();
                newestOfGroups.merge(key, event, DiagnosedSchedulers::later);
                groups.computeIfAbsent(key, _ -> new HashMap<>())
                        .merge(event.name(), event, DiagnosedSchedulers::later);
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
        Optional<String> own = Optional.of(said).filter(text -> !text.isEmpty()).or(() -> ofItsGroup(pod));
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
     * Returns the newest message of the pod's scheduler about the pod's group; empty if there is none. A group is told
     * by its name: Volcano and KAI write the UID of the pod or of its owner into it, and Volcano also the name of the
     * Job.
     */
    private Optional<String> ofItsGroup(PodFacts pod) {
        String job = pod.ask().labels().getOrDefault(VOLCANO_JOB, "");
        String owner = pod.owner().map(PodFacts.OwnerReference::uid).orElse("");
        return groups.getOrDefault(pod.namespace() + "/" + pod.ask().schedulerName(), Map.of()).values().stream()
                .filter(event -> (!pod.uid().isEmpty() && event.name().endsWith(pod.uid()))
                        || (!owner.isEmpty() && event.name().endsWith(owner))
                        || (!job.isEmpty() && isOfJob(event.name(), job))
                        || pod.ask().labels().containsValue(event.name()))
                .reduce(DiagnosedSchedulers::later)
                .map(EventFacts::text);
    }

    /** Returns true for the name of a Job, which can be followed by its UID. */
    private static boolean isOfJob(String group, String job) {
        return group.equals(job) || (group.startsWith(job + "-") && group.length() == job.length() + 1 + LENGTH_OF_UID);
    }

    /**
     * Returns a sentence that quotes the newest message of the pod's scheduler in its namespace that is about another
     * object than a pod, such as a PodGroup, and that may not be the pod's; empty if there is none.
     */
    private String ofOthers(PodDemandFacts ask) {
        return Optional.ofNullable(newestOfGroups.get(ask.namespace() + "/" + ask.schedulerName()))
                .map(event -> " Its newest message in namespace " + ask.namespace() + " is about " + event.kind() + " "
                        + event.name() + ": \"" + event.text() + "\".")
                .orElse("");
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
