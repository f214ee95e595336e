package dev.sluice.kube.facts;

import dev.sluice.bus.Topic;
import dev.sluice.cluster.SourceProblem;
import dev.sluice.doctor.Diagnosis;
import dev.sluice.doctor.DiagnosisState;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import io.vertx.core.WorkerExecutor;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads the cluster on a thread of its own, diagnoses it, publishes the result and pauses. Only one reading runs at a
 * time, and no request starts one. So clients of the management port cannot make the API server work.
 */
public final class DiagnosisVerticle extends VerticleBase {

    /** The longest time for one reading, after which it is interrupted. Each page of a list may take a minute. */
    static final Duration DEADLINE = Duration.ofMinutes(2);

    private static final Logger LOG = LoggerFactory.getLogger(DiagnosisVerticle.class);

    private final ClusterReading cluster;
    private final Duration pause;
    private final Duration deadline;

    /**
     * The thread that reads; null if there is none. Its access is synchronized, so that a late interrupt does not hit
     * the next reading.
     */
    private @Nullable Thread reader;

    private boolean failing;

    public DiagnosisVerticle(ClusterReading cluster, Duration pause) {
        this(cluster, pause, DEADLINE);
    }

    DiagnosisVerticle(ClusterReading cluster, Duration pause, Duration deadline) {
        this.cluster = cluster;
        this.pause = pause;
        this.deadline = deadline;
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
            tell(
                    ended.succeeded() ? ended.result() : new DiagnosisState.NotDiagnosed("Sluice has a fault"),
                    ended.cause());
            vertx.setTimer(pause.toMillis(), _ -> run(worker));
        });
    }

    private DiagnosisState look() {
        begin();
        try {
            return new DiagnosisState.Known(Diagnosis.of(cluster.read()));
        } catch (SourceProblem problem) {
            return new DiagnosisState.NotDiagnosed(String.valueOf(problem.getMessage()));
        } finally {
            end();
        }
    }

    private synchronized void begin() {
        reader = Thread.currentThread();
    }

    /** Ends a reading. The interrupt flag is cleared, because the next reading may use the same thread. */
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
