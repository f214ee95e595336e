package dev.sluice.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Pod;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
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

    /** A node that offers whole GPUs only, for a control plane that is not the stage's. */
    static final String NODE = """
            apiVersion: v1
            kind: Node
            metadata: {name: worker, labels: {kubernetes.io/os: linux}}
            status:
              allocatable: {cpu: "64", memory: 512Gi, pods: "250", nvidia.com/gpu: "200"}
              capacity: {cpu: "64", memory: 512Gi, pods: "250", nvidia.com/gpu: "200"}
            """;

    private static final int WRITERS = 4;
    private static final Duration PAUSE = Duration.ofMillis(100);

    private final ControlPlane plane;
    private final String namespace;
    private final double failedOpen;
    private final AtomicInteger created = new AtomicInteger();
    private final Queue<Missed> missed = new ConcurrentLinkedQueue<>();
    private final Queue<String> refused = new ConcurrentLinkedQueue<>();
    private final List<Thread> writers;
    private volatile boolean ending;

    /** A pod without the gateway's mark. */
    record Missed(String name, Instant at) {}

    /** The node must offer whole GPUs only. */
    static SteadyPods begin(Cluster cluster) throws Exception {
        return new SteadyPods(cluster.plane(), cluster.namespace());
    }

    /** The same in a control plane that is not the stage's. */
    static SteadyPods begin(ControlPlane plane, String namespace) throws Exception {
        return new SteadyPods(plane, namespace);
    }

    static void offerWholeGpus(Cluster cluster) {
        cluster.node("worker", Map.of("nvidia.com/gpu", "4"));
    }

    private SteadyPods(ControlPlane plane, String namespace) throws Exception {
        this.plane = plane;
        this.namespace = namespace;
        this.failedOpen = plane.api().failOpenCount();
        this.writers = IntStream.range(0, WRITERS)
                .mapToObj(writer -> Thread.ofVirtual().start(() -> write("steady-" + writer + "-")))
                .toList();
    }

    private void write(String prefix) {
        String pods = "/api/v1/namespaces/" + namespace + "/pods";
        for (int i = 0; !ending; i++) {
            String name = prefix + i;
            try {
                Api.Answer answer = plane.api().create(Pods.asking(name, MIG), pods);
                judge(name, answer);
                var _ = plane.api().delete(pods + "/" + name + "?gracePeriodSeconds=0");
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
            missed.add(new Missed(name, Instant.parse(pod.getMetadata().getCreationTimestamp())));
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

    /** Waits for more pods that are decided, which may take as long. */
    void moreDecided(int count, Duration patience) {
        int goal = created.get() - missed.size() + count;
        Eventually.within(
                patience, "more pods were decided", () -> created.get() - missed.size() >= goal || !refused.isEmpty());
    }

    /**
     * Ends, and fails if any pod was refused or passed without the API server's count; in their order. Each changed pod
     * is reviewed twice, because the API server then adds a toleration for the resource that it was given. So each
     * writer may have one pod that was decided just before nobody decided any more, and whose second review was
     * counted.
     */
    List<Missed> allWereCreated() throws Exception {
        end();
        assertThat(refused).as("pods that were not created, beside " + created).isEmpty();
        assertThat(plane.api().failOpenCount() - failedOpen)
                .as("calls that failed open, of " + created + " pods")
                .isBetween((double) missed.size(), (double) missed.size() + WRITERS);
        return missed.stream().sorted(Comparator.comparing(Missed::at)).toList();
    }

    /** Ends, and fails if the gateway has missed any pod or if any was refused. */
    int allWereDecided() throws Exception {
        end();
        assertThat(missed).as("pods without the gateway's mark, of " + created).isEmpty();
        assertThat(refused).as("pods that were not created, beside " + created).isEmpty();
        assertThat(plane.api().failOpenCount()).as("calls that failed open").isEqualTo(failedOpen);
        return created.get();
    }

    void end() throws InterruptedException {
        ending = true;
        for (Thread writer : writers) {
            writer.join();
        }
    }
}
