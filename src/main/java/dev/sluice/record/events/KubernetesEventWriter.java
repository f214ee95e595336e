package dev.sluice.record.events;

import dev.sluice.admission.request.PodRequestAnnotations;
import dev.sluice.admission.request.PodRequestReplacement;
import dev.sluice.bus.TlsReloadMessage;
import dev.sluice.cluster.Pod;
import dev.sluice.kube.client.ApiFailure;
import dev.sluice.kube.client.ApiServerObjectAccess;
import dev.sluice.kube.client.OwnPodName;
import dev.sluice.log.StackTraceLimit;
import dev.sluice.log.TokenBucket;
import dev.sluice.metrics.parts.KubernetesEventMetrics;
import dev.sluice.record.DecisionRecord;
import dev.sluice.record.RecordedReviewHead;
import dev.sluice.record.events.EventsAwaitingPods.Sighting;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Writes Events. Before, it reads the objects of the Events from the API server. It runs in a separate thread. */
final class KubernetesEventWriter implements Runnable {

    private static final Logger LOG = LoggerFactory.getLogger(KubernetesEventWriter.class);

    /** The maximum number of tasks that wait. At 20 tasks a second, all of them are done within a minute. */
    private static final int MOST_WAITING = 1_024;

    /** The maximum number of tasks in a second. A task takes up to three reads and two writes. */
    private static final double TASKS_PER_SECOND = 20;

    private static final double MOST_AT_ONCE = 100;

    /**
     * The time between two warnings in the log, and between two attempts if the service account lacks a right. The time
     * is long, because somebody has to apply a manifest to add the right.
     */
    private static final Duration BETWEEN_COMPLAINTS = Duration.ofMinutes(5);

    /** The largest assumed difference between the clocks of the gateway and of the API server. */
    private static final Duration SKEW = Duration.ofMinutes(1);

    private final BlockingQueue<Task> waiting = new ArrayBlockingQueue<>(MOST_WAITING);
    private final ApiServerObjectAccess objects;
    private final InstantSource clock;
    private final OwnPodName self;
    private final KubernetesEventMetrics metrics;
    private final EventRecorder recorder;
    private final EventTopController controllers;
    private final TokenBucket rate;
    private final StackTraceLimit stacks = new StackTraceLimit();
    private Instant pausedUntil = Instant.MIN;
    /**
     * Events that cannot be written are not logged before this time. Otherwise a tenant whose namespace accepts no
     * Events could fill the log.
     */
    private Instant quietUntil = Instant.MIN;

    /** A task of the thread. It contains a decision or a fault about which Events are written. */
    sealed interface Task {
        record PodSighted(Sighting sighting) implements Task {}

        record PodDenied(DecisionRecord decision) implements Task {}

        record CertificateRefused(TlsReloadMessage reload) implements Task {}
    }

    KubernetesEventWriter(
            ApiServerObjectAccess objects, InstantSource clock, OwnPodName self, KubernetesEventMetrics metrics) {
        this.objects = objects;
        this.clock = clock;
        this.self = self;
        this.metrics = metrics;
        this.recorder = new EventRecorder(objects, clock, self.name(), metrics);
        this.controllers = new EventTopController(objects);
        this.rate = new TokenBucket(TASKS_PER_SECOND, MOST_AT_ONCE, clock.instant());
    }

    /** Adds a task. Drops it if too many tasks wait. It is thread-safe. */
    void offer(Task task) {
        if (!waiting.offer(task)) {
            metrics.count(KubernetesEventMetrics.Result.DROPPED);
        }
    }

    /** Executes the tasks until the thread is interrupted. */
    @Override
    public void run() {
        try {
            while (!Thread.currentThread().isInterrupted()) {
                Task task = waiting.poll(EventRecorder.BETWEEN_WRITES.toMillis(), TimeUnit.MILLISECONDS);
                if (task != null && isPaused()) {
                    metrics.count(KubernetesEventMetrics.Result.DROPPED);
                } else if (!isPaused()) {
                    Thread.sleep(rate.take(clock.instant()));
                    work(task == null ? List.of() : List.of(task));
                }
            }
        } catch (InterruptedException | InterruptedIOException stopped) {
            Thread.currentThread().interrupt();
        }
    }

    /** Returns true while no Events are written because the service account has no right to write them. */
    boolean isPaused() {
        return clock.instant().isBefore(pausedUntil);
    }

    void work(List<Task> tasks) throws InterruptedIOException {
        try {
            for (Task task : tasks) {
                handle(task);
            }
            recorder.writeSeries();
        } catch (InterruptedIOException stopped) {
            throw stopped;
        } catch (IOException failed) {
            failed(failed);
        } catch (RuntimeException fault) {
            metrics.count(KubernetesEventMetrics.Result.FAILED);
            if (stacks.allowOne()) {
                LOG.atError().setCause(fault).log("an Event was not written because of a fault of the gateway");
            }
        }
    }

    private void failed(IOException failed) {
        metrics.count(KubernetesEventMetrics.Result.FAILED);
        boolean lacksRight = failed instanceof ApiFailure failure && failure.lacksRight();
        Instant now = clock.instant();
        if (lacksRight) {
            pausedUntil = now.plus(BETWEEN_COMPLAINTS);
        }
        if (lacksRight || !now.isBefore(quietUntil)) {
            quietUntil = now.plus(BETWEEN_COMPLAINTS);
            LOG.atWarn()
                    .addKeyValue("reason", failed.getMessage())
                    .log(
                            lacksRight
                                    ? "events cannot be written, because the account lacks a right; this is tried again"
                                            + " every 5 minutes (k8s/components/events grants the rights)"
                                    : "an Event was not written; others that fail within 5 minutes are only counted");
        }
    }

    private void handle(Task task) throws IOException {
        switch (task) {
            case Task.PodSighted(Sighting sighting) -> recordAtPod(sighting);
            case Task.PodDenied(DecisionRecord decision) -> recordAtOwner(decision);
            case Task.CertificateRefused(TlsReloadMessage reload) -> {
                Optional<EventObjectMetadata> pod = pod(self.namespace(), self.name());
                if (pod.isPresent()) {
                    recorder.record(
                            EventTarget.pod(self.namespace(), pod.get()), KubernetesEventContent.refused(reload));
                }
            }
        }
    }

    private void recordAtPod(Sighting sighting) throws IOException {
        Optional<EventObjectMetadata> found = pod(sighting.namespace(), sighting.name());
        if (found.isEmpty()) {
            return;
        }
        EventObjectMetadata pod = found.get();
        Optional<DecisionRecord> decided = sighting.decisions().reversed().stream()
                .filter(decision -> isOf(decision, pod))
                .findFirst();
        if (decided.isEmpty()) {
            return;
        }
        DecisionRecord decision = decided.get();
        recorder.record(EventTarget.pod(sighting.namespace(), pod), KubernetesEventContent.atPod(decision));
        if (pod.controller().isPresent()) {
            Optional<EventTarget> top =
                    controllers.above(sighting.namespace(), pod.controller().get());
            if (top.isPresent()) {
                recorder.record(
                        top.get(),
                        KubernetesEventContent.atOwner(decision, top.get().kind()));
            }
        }
    }

    /**
     * Returns true if the decision was about this pod: the pod has the annotations that the decision wrote. If there is
     * no stamp among them, the pod must also be stored after the decision, because another pod can have the same ones.
     */
    private static boolean isOf(DecisionRecord decision, EventObjectMetadata pod) {
        Instant decided = Instant.ofEpochMilli(decision.epochMillis());
        boolean isThePod = decision.stamp().isEmpty()
                ? pod.created().isAfter(decided.minus(SKEW))
                : pod.annotation(Pod.STAMP).equals(decision.stamp());
        boolean changed = decision.moves().isEmpty()
                || pod.annotation(PodRequestAnnotations.FALLBACK)
                        .equals(PodRequestReplacement.annotation(decision.moves()));
        return isThePod && changed;
    }

    private void recordAtOwner(DecisionRecord decision) throws IOException {
        RecordedReviewHead head = decision.pod().head();
        Optional<EventTarget> top = controllers.aboveOwner(head.namespace(), head.owner());
        if (top.isPresent()) {
            recorder.record(
                    top.get(),
                    KubernetesEventContent.atOwner(decision, top.get().kind()));
        }
    }

    private Optional<EventObjectMetadata> pod(String namespace, String name) throws IOException {
        try {
            return Optional.of(
                    EventObjectMetadata.of(objects.metadata("api/v1/namespaces/" + namespace + "/pods/" + name)));
        } catch (ApiFailure failure) {
            if (failure.isNotFound()) {
                return Optional.empty();
            }
            throw failure;
        }
    }
}
