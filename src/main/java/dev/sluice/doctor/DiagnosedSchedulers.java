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
                newestOfGroups.merge(event.namespace() + "/" + event.component(), event, DiagnosedSchedulers::later);
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
    public DiagnosisCause holdsBack(PodDemandFacts ask, String said) {
        return cause(
                ask,
                said.isEmpty() ? newestOfGroups(ask) : said,
                "The scheduler " + ask.schedulerName()
                        + (ask.asksForShare()
                                ? SHARES
                                : " runs and holds the pod back for reasons of its own, such as a queue or a gang: nodes would"
                                        + " have room."));
    }

    private String newest(PodDemandFacts ask) {
        return Optional.ofNullable(newest.get(ask.schedulerName()))
                .map(EventFacts::text)
                .orElse("");
    }

    /**
     * Returns the newest message of the pod's scheduler in its namespace that is about another object than a pod, such
     * as a PodGroup; empty if there is none.
     */
    private String newestOfGroups(PodDemandFacts ask) {
        return Optional.ofNullable(newestOfGroups.get(ask.namespace() + "/" + ask.schedulerName()))
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
