package dev.sluice.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.tls.CertifiedKey;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Queue;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

/**
 * Three replicas that are restarted and killed and get new certificates and files, while pods are created all the time.
 * The API server refuses a pod on which nobody decides. Each pod must be decided, and as its namespace has it; after
 * each step every replica must know of every node what a list of the pods says; and more pods than there are devices
 * must never be admitted. {@code -Dlost.pods} sets the number of pods, {@code -Dlost.between} how many of them are
 * created between two steps, and {@code -Dlost.seed} the order of the steps.
 */
@AgainstControlPlane
@ThreeReplicas(shortWaits = true)
@Isolated
@Tag("campaign")
class NothingLostIT {

    private static final String GPU = "nvidia.com/gpu";
    private static final int NODES = 3;
    private static final int DEVICES = 60;
    private static final int WRITERS = 8;

    /** The pods between two steps. */
    private static final int BETWEEN_STEPS = Integer.getInteger("lost.between", 200);

    /** The pods that the others decide before a killed replica comes back. */
    private static final int AFTER_A_KILL = 200;

    /** A killed replica stays an endpoint until the second probe of it has failed. */
    private static final Duration ENDPOINTS_FOLLOW = Duration.ofSeconds(4);

    private static final Duration PATIENCE = Duration.ofMinutes(2);

    /** Held while files are written, and while a replica that starts reads them. */
    private final Object files = new Object();

    private final AtomicLong created = new AtomicLong();
    private final AtomicLong refusedAfterKills = new AtomicLong();
    private final Queue<String> wrong = new ConcurrentLinkedQueue<>();
    private volatile Instant killed = Instant.MIN;
    private volatile boolean pausing;
    private volatile boolean ending;
    private final AtomicLong idle = new AtomicLong();

    @AfterEach
    void nothingIsLeft(Cluster cluster, Replicas replicas) {
        ending = true;
        replicas.heal();
        ReplicasIT.failurePolicy(cluster, "Ignore");
    }

    @Test
    void everyPodIsDecidedAndTheLedgersEqualAList(Cluster cluster, Replicas replicas) throws Exception {
        ReplicasIT.failurePolicy(cluster, "Fail");
        for (int i = 0; i < NODES; i++) {
            cluster.addNode("worker-" + i, Map.of(GPU, Integer.toString(DEVICES / NODES)));
        }
        replicas.settled();
        replicas.awaitNodes(cluster);
        String reserving = cluster.sibling(Reserving.DENY);
        String exchanging = cluster.sibling(Reserving.ALLOCATABLE);
        SplittableRandom random = new SplittableRandom(Long.getLong("lost.seed", 1));
        long goal = Long.getLong("lost.pods", 5_000);
        Map<String, Integer> steps = new HashMap<>();
        AtomicLong rotations = new AtomicLong();
        List<Thread> writers = IntStream.range(0, WRITERS)
                .mapToObj(writer -> Thread.ofVirtual().start(() -> write(cluster, writer, reserving, exchanging)))
                .toList();
        Thread rotating = Thread.ofVirtual().start(() -> rotate(replicas, rotations));
        while (created.get() < goal && wrong.isEmpty()) {
            String step = random.nextInt(6) == 0 ? "kill" : "rolling restart";
            steps.put(step, steps.getOrDefault(step, 0) + 1);
            take(step, replicas, random);
            long before = created.get();
            Eventually.within(PATIENCE, "pods were created", () -> created.get() > before + BETWEEN_STEPS);
            quiet(cluster, replicas);
        }
        ending = true;
        for (Thread writer : writers) {
            writer.join();
        }
        rotating.join();
        System.out.printf(
                Locale.ROOT,
                "nothing lost: %d pods created, %s, %d certificates rotated and files reloaded, %d refused after kills%n",
                created.get(),
                steps,
                rotations.get(),
                refusedAfterKills.get());
        assertThat(wrong).isEmpty();
        assertThat(refusedAfterKills.get())
                .as("those on their way to a killed replica")
                .isLessThanOrEqualTo((long) steps.getOrDefault("kill", 0) * WRITERS * 20);
    }

    private void take(String step, Replicas replicas, SplittableRandom random) throws Exception {
        if (step.equals("kill")) {
            Gateway gateway = replicas.all().get(random.nextInt(Replicas.USUAL));
            killed = Instant.now();
            gateway.daemon().kill();
            killed = Instant.now();
            long before = created.get();
            Eventually.within(PATIENCE, "the others decide", () -> created.get() > before + AFTER_A_KILL);
            start(gateway, replicas);
        } else {
            for (Gateway each : replicas.all()) {
                each.stop();
                start(each, replicas);
            }
        }
    }

    /**
     * Starts a replica that has ended. Its files stay as they are until it has read them: a mounted Secret replaces a
     * certificate and its key in one step, but this test does not.
     */
    private void start(Gateway ended, Replicas replicas) {
        synchronized (files) {
            replicas.heal();
            Eventually.within(PATIENCE, "the replica is ready", ended::isReady);
        }
        replicas.settled();
    }

    /** Pods of two namespaces in turn: one whose slice is not offered anywhere, and one that reserves. */
    private void write(Cluster cluster, int writer, String reserving, String exchanging) {
        for (int i = 0; !ending; i++) {
            if (pausing) {
                pause();
            }
            boolean reserves = i % 2 == 0;
            String namespace = reserves ? reserving : exchanging;
            String name = "pod-" + writer + "-" + i;
            try {
                Pod pod = reserves ? Pods.asking(name, GPU) : unscheduled(Pods.asking(name, SteadyPods.MIG));
                judge(cluster.create(pod, namespace), name, reserves);
                cluster.delete(namespace, name);
            } catch (IOException | InterruptedException failed) {
                wrong.add(name + ": " + failed);
            }
        }
    }

    /**
     * Returns the pod for a scheduler that does not exist. The test sees in the pod itself what was exchanged, and the
     * real scheduler, which sends 50 requests a second, has enough to do with the other pods.
     */
    private static Pod unscheduled(Pod pod) {
        return new PodBuilder(pod)
                .editSpec()
                .withSchedulerName("nobody")
                .endSpec()
                .build();
    }

    private void pause() {
        idle.incrementAndGet();
        while (pausing && !ending) {
            LockSupport.parkNanos(Duration.ofMillis(20).toNanos());
        }
        idle.decrementAndGet();
    }

    private void judge(Api.Answer answer, String name, boolean reserves) {
        if (answer.status() != 201) {
            if (killed.plus(ENDPOINTS_FOLLOW).isAfter(Instant.now())) {
                refusedAfterKills.incrementAndGet();
            } else {
                wrong.add(name + ": " + answer.status() + " " + answer.body());
            }
            return;
        }
        Pod pod = answer.pod();
        Map<String, Quantity> limits =
                pod.getSpec().getContainers().getFirst().getResources().getLimits();
        boolean isMarked =
                reserves ? !Pods.ofSluice(pod).isEmpty() : !Pods.fallback(pod).isEmpty();
        if (!isMarked || !limits.equals(Map.of(GPU, new Quantity("1")))) {
            wrong.add(name + " was created with " + limits + " and " + Pods.ofSluice(pod));
        }
        created.incrementAndGet();
    }

    /** Writes new pairs of certificates and the same configuration again, for one replica after another. */
    private void rotate(Replicas replicas, AtomicLong rotations) {
        while (!ending) {
            for (Gateway gateway : replicas.all()) {
                try {
                    synchronized (files) {
                        gateway.overwritePair(gateway.anotherPair());
                        gateway.rewriteConfiguration();
                        rewritePeerPair(replicas);
                    }
                    rotations.incrementAndGet();
                } catch (IOException failed) {
                    wrong.add(failed.toString());
                }
                LockSupport.parkNanos(Duration.ofSeconds(2).toNanos());
            }
        }
    }

    private static void rewritePeerPair(Replicas replicas) throws IOException {
        Path directory = replicas.certificates().directory();
        CertifiedKey pair = replicas.certificates().certificate();
        replace(directory.resolve("peers.crt"), pair.certificatePem());
        replace(directory.resolve("peers.key"), pair.keyPem());
    }

    private static void replace(Path file, String text) throws IOException {
        Path next = Files.writeString(file.resolveSibling(file.getFileName() + ".next"), text);
        var _ = Files.move(next, file, StandardCopyOption.ATOMIC_MOVE);
    }

    /** Nobody creates pods now. The ledgers are compared with a list, and more pods are created than devices exist. */
    private void quiet(Cluster cluster, Replicas replicas) throws Exception {
        pausing = true;
        Eventually.within(PATIENCE, "all writers pause", () -> idle.get() == WRITERS);
        equalToAList(cluster, replicas);
        String namespace = cluster.sibling(Reserving.DENY);
        int admitted = 0;
        for (int i = 0; i < DEVICES + WRITERS; i++) {
            Api.Answer answer = cluster.create(Pods.asking("more-" + i, GPU), namespace);
            assertThat(answer.status()).as(answer.body()).isIn(201, 403);
            admitted += answer.status() == 201 ? 1 : 0;
        }
        assertThat(admitted).isEqualTo(DEVICES);
        Eventually.holds(
                "every pod that was created runs",
                () -> cluster.client().pods().inNamespace(namespace).list().getItems().stream()
                        .allMatch(pod -> pod.getSpec().getNodeName() != null));
        equalToAList(cluster, replicas);
        var _ = cluster.client().pods().inNamespace(namespace).delete();
        equalToAList(cluster, replicas);
        pausing = false;
        Eventually.within(PATIENCE, "all writers go on", () -> idle.get() == 0);
    }

    private static void equalToAList(Cluster cluster, Replicas replicas) {
        for (Gateway gateway : replicas.all()) {
            Eventually.holds(
                    "the ledger is equal to a list", () -> gateway.available().equals(Free.listed(cluster.client())));
        }
    }
}
