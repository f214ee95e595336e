package dev.sluice.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Pod;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;

/** Pods that are created at a steady rate, and what became of each: the gateway leaves its mark on all of them. */
final class SteadyPods {

    static final String MIG = "nvidia.com/mig-2g.20gb";
    private static final String FAIL_OPEN = "apiserver_admission_webhook_fail_open_count";
    private static final String OURS = "name=\"gpu-allocation.k8s.io\"";
    private static final int WRITERS = 4;
    private static final Duration PAUSE = Duration.ofMillis(100);

    private final Cluster cluster;
    private final double failedOpen;
    private final AtomicInteger created = new AtomicInteger();
    private final Queue<String> missed = new ConcurrentLinkedQueue<>();
    private final Queue<String> refused = new ConcurrentLinkedQueue<>();
    private final List<Thread> writers;
    private volatile boolean ending;

    /** The node must offer whole GPUs only. */
    static SteadyPods begin(Cluster cluster) throws Exception {
        return new SteadyPods(cluster);
    }

    static void offerWholeGpus(Cluster cluster) {
        cluster.node("worker", Map.of("nvidia.com/gpu", "4"));
    }

    private SteadyPods(Cluster cluster) throws Exception {
        this.cluster = cluster;
        this.failedOpen = failOpenCount();
        this.writers = IntStream.range(0, WRITERS)
                .mapToObj(writer -> Thread.ofVirtual().start(() -> write("steady-" + writer + "-")))
                .toList();
    }

    private double failOpenCount() throws Exception {
        return cluster.plane().api().metrics().sum(FAIL_OPEN, OURS);
    }

    private void write(String prefix) {
        for (int i = 0; !ending; i++) {
            String name = prefix + i;
            try {
                Api.Answer answer = cluster.create(Pods.asking(name, MIG));
                judge(name, answer);
                cluster.delete(cluster.namespace(), name);
            } catch (Exception failed) {
                refused.add(name + ": " + failed);
            }
            LockSupport.parkNanos(PAUSE.toNanos());
        }
    }

    private void judge(String name, Api.Answer answer) {
        if (answer.status() != 201) {
            refused.add(name + ": " + answer.status() + " " + answer.body());
            return;
        }
        created.incrementAndGet();
        Pod pod = answer.pod();
        if (Pods.fallback(pod).isEmpty()) {
            missed.add(name + " at " + pod.getMetadata().getCreationTimestamp());
        }
    }

    int created() {
        return created.get();
    }

    /** Waits for more pods, so that what has just been done is seen by some. */
    void more(int count) {
        int goal = created.get() + count;
        Eventually.holds("more pods were created", () -> created.get() >= goal || !refused.isEmpty());
    }

    /** Ends, and fails if the gateway has missed any pod or if any was refused. */
    int allWereDecided() throws Exception {
        end();
        assertThat(missed).as("pods without the gateway's mark, of " + created).isEmpty();
        assertThat(refused).as("pods that were not created, beside " + created).isEmpty();
        assertThat(failOpenCount()).isEqualTo(failedOpen);
        return created.get();
    }

    void end() throws InterruptedException {
        ending = true;
        for (Thread writer : writers) {
            writer.join();
        }
    }
}
