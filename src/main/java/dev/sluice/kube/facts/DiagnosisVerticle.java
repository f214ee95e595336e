package dev.sluice.kube.facts;

import dev.sluice.bus.Topic;
import dev.sluice.cluster.ClusterStateException;
import dev.sluice.doctor.ClusterDiagnosis;
import dev.sluice.doctor.Diagnosis;
import dev.sluice.doctor.DiagnosisLimits;
import dev.sluice.doctor.DiagnosisState;
import dev.sluice.doctor.LostClaimUsers;
import dev.sluice.doctor.facts.ClusterFacts;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import io.vertx.core.WorkerExecutor;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads the cluster on a separate thread, diagnoses it, publishes the result, pauses, and starts again. Only one
 * reading runs at a time. Requests never start a reading, so clients of the management port cannot cause load on the
 * API server. The pause grows with the processor time of a diagnosis, so that diagnoses take at most a tenth of a
 * processor, whatever the cluster contains.
 */
public final class DiagnosisVerticle extends VerticleBase {

    /**
     * The time after which a reading of the cluster is interrupted. A reading consists of many pages, and each page may
     * take up to a minute.
     */
    static final Duration DEADLINE = Duration.ofMinutes(2);

    /** The minimum pause after a diagnosis, as a multiple of the processor time that the diagnosis took. */
    private static final int PAUSE_PER_CPU_TIME = 9;

    private static final Logger LOG = LoggerFactory.getLogger(DiagnosisVerticle.class);

    private final LiveFactsReader cluster;
    private final Duration pause;
    private final Duration deadline;
    private final InstantSource clock;

    /**
     * The thread that reads the cluster; null if no reading runs. Access to this field is synchronized, so that an
     * interrupt for one reading cannot interrupt the next one.
     */
    private @Nullable Thread reader;

    private boolean failing;

    /**
     * The lost pods of the previous reading. A pod is lost if a ResourceClaim is reserved for it, but the pod does not
     * exist, or its deletion does not finish. Only the thread that reads the cluster uses this field.
     */
    private LostClaimUsers lost = LostClaimUsers.NONE;

    public DiagnosisVerticle(LiveFactsReader cluster, Duration pause, InstantSource clock) {
        this(cluster, pause, clock, DEADLINE);
    }

    DiagnosisVerticle(LiveFactsReader cluster, Duration pause, InstantSource clock, Duration deadline) {
        this.cluster = cluster;
        this.pause = pause;
        this.deadline = deadline;
        this.clock = clock;
    }

    @Override
    public Future<?> start() {
        Topic.DIAGNOSES.publish(vertx, new DiagnosisState.Begun());
        run(vertx.createSharedWorkerExecutor(
                "diagnosis", /* poolSize= */ 1, 2 * deadline.toMillis(), TimeUnit.MILLISECONDS));
        return Future.succeededFuture();
    }

    private void run(WorkerExecutor worker) {
        long timer = vertx.setTimer(deadline.toMillis(), _ -> interrupt());
        worker.executeBlocking(this::look).onComplete(ended -> {
            vertx.cancelTimer(timer);
            Looked looked = ended.succeeded()
                    ? ended.result()
                    : new Looked(new DiagnosisState.NotDiagnosed("Sluice has a fault"), pause);
            tell(looked.state(), ended.cause());
            vertx.setTimer(looked.pause().toMillis(), _ -> run(worker));
        });
    }

    /** The result of a diagnosis, and the pause after it. */
    private record Looked(DiagnosisState state, Duration pause) {}

    private Looked look() {
        Instant begun = clock.instant();
        long before = cpuNanos();
        begin();
        try {
            ClusterDiagnosis report = diagnosed(cluster.read());
            Duration next = pauseAfter(cpuNanos() - before);
            // The next diagnosis begins after the pause. If it takes longer than twice the deadline, it is overdue.
            Instant nextDue = clock.instant().plus(next).plus(deadline.multipliedBy(2));
            return new Looked(new DiagnosisState.Known(report, begun, nextDue), next);
        } catch (ClusterStateException problem) {
            return new Looked(
                    new DiagnosisState.NotDiagnosed(String.valueOf(problem.getMessage())),
                    pauseAfter(cpuNanos() - before));
        } finally {
            end();
        }
    }

    /**
     * Diagnoses the cluster. A pod that a claim names is reported as missing only if the previous reading did not find
     * it either. Claims and pods are listed at different times, so a new or deleted pod can be missing in one reading.
     */
    private ClusterDiagnosis diagnosed(ClusterFacts facts) {
        LostClaimUsers now = LostClaimUsers.of(facts);
        ClusterDiagnosis report = Diagnosis.of(
                facts,
                DiagnosisLimits.of(
                        LiveFactsCpuTime::ofThread, Runtime.getRuntime().maxMemory()),
                now.alsoIn(lost));
        lost = now;
        return report;
    }

    private long cpuNanos() {
        return LiveFactsCpuTime.ofThread() + cluster.cpuNanos() + LiveFactsCpuTime.ofCollections();
    }

    private Duration pauseAfter(long cpuNanos) {
        Duration least = Duration.ofNanos(PAUSE_PER_CPU_TIME * cpuNanos);
        return least.compareTo(pause) > 0 ? least : pause;
    }

    private synchronized void begin() {
        reader = Thread.currentThread();
    }

    /**
     * Records that the reading has ended. The interrupt flag is cleared, because the next reading may use the same
     * thread.
     */
    private synchronized void end() {
        reader = null;
        var _ = Thread.interrupted();
    }

    private void tell(DiagnosisState state, @Nullable Throwable fault) {
        if (state instanceof DiagnosisState.NotDiagnosed failed && !failing) {
            LOG.atWarn()
                    .setCause(fault)
                    .addKeyValue("reason", failed.why())
                    .log("the diagnosis of the cluster failed; it is repeated after each pause");
        }
        failing = state instanceof DiagnosisState.NotDiagnosed;
        Topic.DIAGNOSES.publish(vertx, state);
    }

    private synchronized void interrupt() {
        if (reader != null) {
            reader.interrupt();
        }
    }

    @Override
    public Future<?> stop() {
        interrupt();
        return Future.succeededFuture();
    }
}
