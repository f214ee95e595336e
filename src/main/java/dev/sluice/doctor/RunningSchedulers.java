package dev.sluice.doctor;

import dev.sluice.doctor.Cause.Evidence;
import dev.sluice.doctor.facts.ClusterFacts;
import dev.sluice.doctor.facts.EventFacts;
import dev.sluice.doctor.facts.PodGpuDemand;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** Finds out whether a scheduler other than the default scheduler runs. */
final class RunningSchedulers {

    /**
     * Limits the age of a Lease that shows that its scheduler runs: four times the default lease duration of 15
     * seconds.
     */
    private static final Duration LEASE = Duration.ofSeconds(60);

    private final ClusterFacts cluster;
    private final Map<String, Boolean> running = new HashMap<>();

    public RunningSchedulers(ClusterFacts cluster) {
        this.cluster = cluster;
    }

    public boolean runs(String scheduler) {
        return running.computeIfAbsent(scheduler, name -> renews(name) || hasPod(name) || hasSpoken(name));
    }

    private boolean renews(String scheduler) {
        Instant renewed = cluster.leases().get(scheduler);
        return renewed != null && cluster.isWithin(renewed, LEASE);
    }

    private boolean hasPod(String scheduler) {
        return cluster.pods().stream()
                .anyMatch(pod -> pod.isRunningAndReady()
                        && (pod.name().startsWith(scheduler) || pod.schedulers().contains(scheduler)));
    }

    private boolean hasSpoken(String scheduler) {
        return cluster.events().stream()
                .anyMatch(event ->
                        event.component().equals(scheduler) && event.time() != null && cluster.isFresh(event.time()));
    }

    /**
     * Returns the cause if the pod's scheduler does not run.
     *
     * @param said the scheduler's newest message about the pod; empty if there is none
     */
    public Optional<Cause> missing(PodGpuDemand ask, String said) {
        return ask.isForDefaultScheduler() || runs(ask.schedulerName())
                ? Optional.empty()
                : Optional.of(cause(
                        ask,
                        said,
                        "Nothing shows that the scheduler " + ask.schedulerName()
                                + " runs: it has no lease that was renewed within 60 s, no ready pod and no recent"
                                + " event, so nobody places the pod."));
    }

    /**
     * Returns the cause for a pod that fits a node and whose scheduler runs, but does not place the pod.
     *
     * @param said the scheduler's newest message about the pod; empty if there is none
     */
    public Cause holdsBack(PodGpuDemand ask, String said) {
        return cause(
                ask,
                said,
                "The scheduler " + ask.schedulerName()
                        + " runs and holds the pod back for reasons of its own, such as a queue or a gang: nodes would"
                        + " have room.");
    }

    private Cause cause(PodGpuDemand ask, String said, String text) {
        String newest = said.isEmpty()
                ? newest(ask.schedulerName()).map(EventFacts::text).orElse("")
                : said;
        return new Cause(
                VerdictCode.OTHER_SCHEDULER,
                text + (newest.isEmpty() ? "" : " Its newest message: \"" + newest + "\"."),
                Evidence.ofSubject("schedulerName " + ask.schedulerName() + ", which "
                        + (runs(ask.schedulerName()) ? "runs" : "is not seen to run")));
    }

    private Optional<EventFacts> newest(String scheduler) {
        return cluster.events().stream()
                .filter(event -> event.component().equals(scheduler))
                .max(Comparator.comparing(EventFacts::time, Comparator.nullsFirst(Comparator.<Instant>naturalOrder())));
    }
}
