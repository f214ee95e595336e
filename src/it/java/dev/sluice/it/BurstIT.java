package dev.sluice.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Pod;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Bursts of pods from many writers on clusters that cannot run them all. {@code -Dbursts=100} tries so many, {@code
 * -Dburst=7} that one alone.
 */
@AgainstControlPlane
class BurstIT {

    /** The usual ones are small, for the sake of time. */
    private static final long USUAL = 4;

    private static final int USUAL_LARGEST = 200;
    private static final int SMALLEST = 50;
    private static final int LARGEST = 500;
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    static LongStream seeds() {
        long one = Long.getLong("burst", 0);
        return one > 0 ? LongStream.of(one) : LongStream.rangeClosed(1, Long.getLong("bursts", USUAL));
    }

    private static int size(long seed) {
        int largest = seed <= USUAL ? USUAL_LARGEST : LARGEST;
        return SMALLEST + new Random(~seed).nextInt(largest - SMALLEST + 1);
    }

    /** Nobody is promised what others have, and nothing is left unused that somebody waits for. */
    @ParameterizedTest
    @MethodSource("seeds")
    void asManyRunAsCanAndEachThatWasPromisedRoom(long seed, Cluster cluster, Reserving reserving) throws Exception {
        Burst burst = Burst.of(seed, size(seed));
        build(burst, cluster, reserving);
        Outcome available = send(burst, cluster, cluster.namespace());
        int best = Best.running(burst);
        assertThat(available.promisedButWaiting()).as("promised room, and wait").isEmpty();
        if (!Boolean.getBoolean("noavail")) availableIsAsListed(cluster, reserving);
        remove(cluster, cluster.namespace());
        Outcome allocatable = send(burst, cluster, cluster.sibling(Reserving.ALLOCATABLE));
        System.out.printf(
                "burst %d: %d pods, %d nodes; %d run, the best is %d; in allocatable mode %d run%n",
                seed, burst.pods().size(), burst.nodes().size(), available.running(), best, allocatable.running());
        assertThat(available.running()).as("pods that run").isEqualTo(best);
        assertThat(allocatable.running()).isLessThanOrEqualTo(best);
    }

    private static void build(Burst burst, Cluster cluster, Reserving reserving) throws Exception {
        reserving.awaitNodes(cluster);
        for (Node node : burst.nodes()) {
            var _ = cluster.client().nodes().resource(node).create();
        }
        String others = cluster.sibling("-others");
        var _ = Writers.create(cluster, burst.others(), others);
        Eventually.holds(
                "the others run, or have ended",
                () -> cluster.client().pods().inNamespace(others).withField("status.phase", "Pending").list().getItems()
                        .isEmpty());
        reserving.awaitNodes(cluster);
    }

    /** Created by all writers, and until the scheduler has had its say about each. */
    private static Outcome send(Burst burst, Cluster cluster, String namespace) throws Exception {
        Map<String, Api.Answer> answers = Writers.create(cluster, burst.pods(), namespace);
        assertThat(answers.values()).extracting(Api.Answer::status).containsOnly(201);
        Eventually.within(
                PATIENCE,
                "each runs or was found to be unschedulable",
                () -> waiting(cluster, namespace).stream()
                        .allMatch(pod -> Cluster.unschedulable(pod).isPresent()));
        Set<String> waiting = waiting(cluster, namespace).stream()
                .map(pod -> pod.getMetadata().getName())
                .collect(Collectors.toSet());
        return new Outcome(answers, waiting);
    }

    /** The gateway's watch may be behind for a moment. */
    private static void availableIsAsListed(Cluster cluster, Reserving reserving) {
        Eventually.holds("the gateway's Available is that of a list", () -> {
            var told = reserving.gateway().available();
            var listed = Free.listed(cluster.client());
            if (!told.equals(listed)) {
                throw new IllegalStateException("told " + told + "\nlisted " + listed);
            }
            return true;
        });
    }

    private static List<Pod> waiting(Cluster cluster, String namespace) {
        return cluster.client()
                .pods()
                .inNamespace(namespace)
                .withField("status.phase", "Pending")
                .list()
                .getItems();
    }

    private static void remove(Cluster cluster, String namespace) {
        var _ = cluster.client()
                .pods()
                .inNamespace(namespace)
                .withGracePeriod(0)
                .delete();
        Eventually.within(
                PATIENCE,
                "the pods are gone",
                () -> cluster.client().pods().inNamespace(namespace).list().getItems().isEmpty());
    }

    /** {@code waiting} are the names of those that the scheduler could not place. */
    private record Outcome(Map<String, Api.Answer> answers, Set<String> waiting) {

        int running() {
            return answers.size() - waiting.size();
        }

        /** A pod for which there is no room is told so. */
        List<String> promisedButWaiting() {
            return waiting.stream()
                    .filter(name -> Objects.requireNonNull(answers.get(name)).warnings().stream()
                            .noneMatch(warning -> warning.contains("the pod waits")))
                    .sorted()
                    .toList();
        }
    }
}
