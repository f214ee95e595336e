package dev.sluice.doctor;

import dev.sluice.doctor.DiagnosisCause.Evidence;
import dev.sluice.doctor.facts.ClusterFacts;
import dev.sluice.doctor.facts.PodFacts;
import dev.sluice.doctor.facts.PodFacts.Message;
import dev.sluice.text.CountText;
import dev.sluice.text.FirstFiveNames;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Finds out whether the default scheduler has stopped. That is the case if its Lease is no longer renewed, and no event
 * and no pod shows that the scheduler has worked since. A missing Lease proves nothing, because a cluster with a hidden
 * control plane may have none.
 */
final class DefaultSchedulerRule {

    /** The first part of the names that kubeadm and other installers give to the pods of the scheduler. */
    private static final String PODS = "kube-scheduler-";

    /** The facts about the pods of the scheduler start with this text. {@link DiagnosisNextStep} searches for it. */
    static final String POD = "scheduler pod ";

    /** The name of the default scheduler as the reporting component of events. */
    private static final String COMPONENT = "default-scheduler";

    /**
     * The scheduler counts as stopped if its Lease was not renewed for this time. The Lease lasts only 15 seconds, but
     * in a large cluster the Lease and other objects may be listed minutes apart.
     */
    private static final Duration SILENCE = Duration.ofMinutes(5);

    private final Optional<DiagnosisCause> cause;

    DefaultSchedulerRule(ClusterFacts cluster) {
        Instant renewed = cluster.leases().get(ClusterFacts.SCHEDULER_LEASE);
        Instant now = cluster.time();
        cause = renewed != null
                        && now != null
                        && !cluster.isWithin(renewed, SILENCE)
                        && !hasWorkedSince(renewed, cluster)
                ? Optional.of(silent(Duration.between(renewed, now), cluster.pods()))
                : Optional.empty();
    }

    private static boolean hasWorkedSince(Instant renewed, ClusterFacts cluster) {
        return cluster.events().stream()
                        .anyMatch(event -> event.component().equals(COMPONENT) && isLater(event.time(), renewed))
                || cluster.pods().stream()
                        .anyMatch(pod -> pod.ask().isForDefaultScheduler() && isLater(touched(pod), renewed));
    }

    /**
     * Returns true if {@code time} is not before {@code renewed}. Fractions of a second are ignored, because the times
     * of events and pods have a precision of one second.
     */
    private static boolean isLater(@Nullable Instant time, Instant renewed) {
        return time != null && !time.isBefore(renewed.truncatedTo(ChronoUnit.SECONDS));
    }

    /**
     * Returns the time at which the pod was bound. For a pod that is not bound, returns the time at which a scheduler
     * reported that it did not place the pod. Returns null if the time is unknown.
     */
    private static @Nullable Instant touched(PodFacts pod) {
        Message unscheduled = pod.unscheduled();
        return pod.isBound() ? pod.state().start().bound() : unscheduled == null ? null : unscheduled.time();
    }

    private static DiagnosisCause silent(Duration since, List<PodFacts> all) {
        List<PodFacts> pods = all.stream()
                .filter(pod -> pod.namespace().equals(ClusterFacts.SYSTEM_NAMESPACE)
                        && pod.name().startsWith(PODS)
                        && !pod.isRunningAndReady()
                        && !pod.hasEnded())
                .toList();
        String states = FirstFiveNames.of(
                pods.stream().map(pod -> DiagnosedNodeFaultText.state(pod, POD)).toList());
        return new DiagnosisCause(
                DiagnosisCode.OTHER_SCHEDULER,
                "The default scheduler has stopped: it has not renewed its Lease for "
                        + CountText.of(since.toMinutes(), "minute")
                        + ", and has neither placed a pod nor said anything since, so nobody places the pod"
                        + (states.isEmpty() ? "." : ": " + states + "."),
                Stream.concat(
                                Stream.of(Evidence.ofSubject("the default scheduler has stopped")),
                                pods.stream()
                                        .limit(FirstFiveNames.MOST)
                                        .map(pod -> new Evidence(
                                                "Pod", pod.fullName(), DiagnosedNodeFaultText.state(pod, POD))))
                        .toList());
    }

    /** Returns the cause if the pod waits for the default scheduler and this scheduler has stopped; empty otherwise. */
    Optional<DiagnosisCause> find(PodFacts pod) {
        return pod.ask().isForDefaultScheduler() && pod.ask().gates().isEmpty() ? cause : Optional.empty();
    }
}
