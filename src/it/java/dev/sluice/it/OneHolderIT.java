package dev.sluice.it;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Pod;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Two replicas in availability mode that cannot share their reservations, because they have no certificates for each
 * other. One decides, and is killed while pods are created: the other one knows nothing of what was promised, as when
 * nobody of the in-sync set is left.
 */
@AgainstControlPlane
class OneHolderIT {

    private static final String THREE = "nvidia.com/mig-3g.40gb";
    private static final String TWO = "nvidia.com/mig-2g.20gb";
    private static final String POLICY =
            "policy: {mode: availability, whenExhausted: deny, chains: {" + THREE + ": [" + TWO + "]}}\n";
    private static final int NODES = 5;
    private static final int WRITERS = 4;
    /** Killed in the middle of the work: then so many pods were decided on. */
    private static final int BEFORE_THE_KILL = 60;
    /** The lease runs out (15 s), the wait (34 s), and what a busy machine needs besides. */
    private static final Duration TAKEOVER = Duration.ofSeconds(90);
    /** Pods that nobody decides on come slowly, or they would use everything up before the other one takes over. */
    private static final long BETWEEN_UNDECIDED_NANOS = Duration.ofSeconds(2).toNanos();

    private final Queue<Api.Answer> answers = new ConcurrentLinkedQueue<>();
    private final AtomicInteger decided = new AtomicInteger();
    private final List<Gateway> replicas = new ArrayList<>();
    private @Nullable AvailabilityMode mode;

    @BeforeEach
    void startsTheReplicas(Cluster cluster) throws Exception {
        mode = new AvailabilityMode(cluster.plane(), cluster.gateway());
        for (String name : List.of("one", "other")) {
            replicas.add(mode.gateway(name, POLICY));
        }
    }

    @AfterEach
    void stopsTheReplicas() {
        if (mode != null) {
            mode.close();
        }
    }

    @Test
    void theOtherReplicaTakesOverAndNothingIsPromisedTwice(Cluster cluster) throws Exception {
        for (int i = 0; i < NODES; i++) {
            cluster.node("worker-" + i, Map.of(THREE, "40", TWO, "40"));
        }
        Eventually.within(TAKEOVER, "one replica is ready", () -> ready().size() == 1);
        Gateway holder = ready().getFirst();
        Gateway other = replicas.get(1 - replicas.indexOf(holder));
        try (FrontDoor door = FrontDoor.toFirstReady(replicas);
                ExecutorService pool = Executors.newVirtualThreadPerTaskExecutor()) {
            Objects.requireNonNull(mode).register(door.url(), authorities());
            cluster.awaitDecision(Pods.asking("first", THREE), THREE, Duration.ofSeconds(10));
            List<Future<?>> writers = new ArrayList<>();
            for (int i = 0; i < WRITERS; i++) {
                String name = "writer-" + i + "-";
                writers.add(pool.submit(() -> write(cluster, name)));
            }
            Eventually.holds("pods were decided on", () -> decided.get() >= BEFORE_THE_KILL);
            assertThat(other.isReady()).as("the other one decides too").isFalse();
            holder.daemon().kill();
            Eventually.within(TAKEOVER, "the other one is ready", other::isReady);
            for (Future<?> writer : writers) {
                var _ = writer.get();
            }
        }
        assertThat(other.decisions()).as("decisions of the other one").isPositive();
        assertThat(answers).extracting(Api.Answer::status).containsOnly(201, 403);
        everyPodThatWasDecidedOnRuns(cluster);
    }

    private List<Gateway> ready() throws Exception {
        List<Gateway> ready = new ArrayList<>();
        for (Gateway replica : replicas) {
            if (replica.daemon().runs() && replica.isReady()) {
                ready.add(replica);
            }
        }
        return ready;
    }

    private String authorities() {
        StringBuilder pem = new StringBuilder();
        replicas.forEach(replica -> pem.append(new String(replica.caBundle(), UTF_8)));
        return pem.toString();
    }

    /** Creates pods until one is refused, which only a replica that decides does, when nothing is left. */
    private Void write(Cluster cluster, String name) throws Exception {
        for (int i = 0; ; i++) {
            Api.Answer answer = cluster.create(Pods.asking(name + i, THREE));
            answers.add(answer);
            if (answer.status() != 201) {
                return null;
            }
            if (wasDecidedOn(answer.pod())) {
                decided.incrementAndGet();
            } else {
                LockSupport.parkNanos(BETWEEN_UNDECIDED_NANOS);
            }
        }
    }

    private static boolean wasDecidedOn(Pod pod) {
        Map<String, String> annotations = pod.getMetadata().getAnnotations();
        return annotations != null && annotations.containsKey("gpu-webhook.k8s.io/decision");
    }

    /** Whoever decided. Pods that passed as they were written may wait. */
    private static void everyPodThatWasDecidedOnRuns(Cluster cluster) {
        Eventually.holds(
                () -> "all run, among " + cluster.inPhase("Pending").size() + " that wait",
                () -> cluster.inPhase("Pending").stream().noneMatch(OneHolderIT::wasDecidedOn));
        assertThat(cluster.pods()).filteredOn(OneHolderIT::wasDecidedOn).hasSizeGreaterThan(BEFORE_THE_KILL);
    }
}
