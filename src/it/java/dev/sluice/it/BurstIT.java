package dev.sluice.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.admissionregistration.v1.MutatingWebhookConfiguration;
import io.fabric8.kubernetes.api.model.apps.ReplicaSet;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Bursts of pods from many writers on clusters that cannot run them all. Odd ones are refused what is not there, even
 * ones wait for it. {@code -Dburst=7} tries that one alone, {@code -Dbursts.first=7} begins with it, and
 * {@code -Dbursts.largest=100} makes none of more pods:
 *
 * <pre>mvn verify -Pcampaign -Dcontrolplane=required -Dit.test=BurstIT -Dtest=SourceFormatTest -Dbursts=1000</pre>
 *
 * <p>{@link Best} says how many pods the policy can make run. So many must be promised room, and so many must run.
 */
@AgainstControlPlane
class BurstIT {

    /** The usual ones are small, for the sake of time: one that is refused, and one that waits. */
    private static final long USUAL = 2;

    private static final int USUAL_LARGEST = 130;
    private static final int SMALLEST = 30;
    private static final int LARGEST = 500;
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final Duration SLOW = Duration.ofSeconds(2);
    /** A pod that was denied when its call was repeated keeps what its first answer reserved for 34 s. */
    private static final Duration LONGEST_RESERVATION = Duration.ofSeconds(45);

    /** The longest that an API server waits for a webhook. */
    private static final int LONGEST_TIMEOUT = 30;

    private static final int SHIPPED_TIMEOUT = 3;

    /**
     * On a busy machine, some of many pods that are created together are decided later than the API server waits as
     * shipped. It would then admit them without a decision, so that nothing could be said about the decisions.
     */
    @BeforeEach
    void theApiServerWaitsForEachDecision(Cluster cluster) {
        waits(cluster, LONGEST_TIMEOUT);
    }

    @AfterEach
    void theApiServerWaitsAsShipped(Cluster cluster) {
        waits(cluster, SHIPPED_TIMEOUT);
    }

    private static void waits(Cluster cluster, int seconds) {
        var _ = cluster.client()
                .resources(MutatingWebhookConfiguration.class)
                .withName(Registration.NAME)
                .edit(found -> {
                    found.getWebhooks().forEach(webhook -> webhook.setTimeoutSeconds(seconds));
                    return found;
                });
    }

    static LongStream seeds() {
        long one = Long.getLong("burst", 0);
        return one > 0
                ? LongStream.of(one)
                : LongStream.rangeClosed(Long.getLong("bursts.first", 1), Long.getLong("bursts", USUAL));
    }

    static LongStream fewerSeeds() {
        return Long.getLong("burst", 0) > 0 ? seeds() : seeds().filter(seed -> seed % 4 == 1);
    }

    /** More small ones than large ones. */
    private static int size(long seed) {
        int largest = seed <= USUAL ? USUAL_LARGEST : Integer.getInteger("bursts.largest", LARGEST);
        double share = new SplittableRandom(seed).nextDouble();
        return SMALLEST + (int) (share * share * (largest - SMALLEST + 1));
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void asManyRunAsCan(long seed, Cluster cluster, Reserving reserving) throws Exception {
        Burst burst = Burst.of(seed, size(seed), Burst.Sizes.EVEN);
        build(burst, cluster, reserving);
        int best = Best.running(burst);
        boolean refusing = seed % 2 == 1;
        String namespace = refusing ? cluster.sibling(Reserving.DENY) : cluster.namespace();
        Outcome outcome = send(burst, cluster, namespace);
        assertThat(outcome.promised()).as("promised room").hasSize(best);
        availableIsAsListed(cluster, reserving);
        standsAs(outcome, reserving.gateway());
        if (seed % 4 == 2) {
            // One that starts now, and knows nothing but lists, sees the same.
            reserving.restart(cluster);
            availableIsAsListed(cluster, reserving);
        }
        System.out.printf(
                "burst %d: %d pods, %d nodes; the best is %d: %d run where others %s (%d of them before one who was"
                        + " promised room)%n",
                seed,
                burst.pods().size(),
                burst.nodes().size(),
                best,
                outcome.running().size(),
                refusing ? "are refused" : "wait",
                outcome.promisedButWaiting().size());
        assertThat(outcome.running()).as("running").hasSize(best);
        if (refusing) {
            assertThat(outcome.promisedButWaiting()).isEmpty();
        }
        if (seed % 4 == 1) {
            remove(cluster, namespace);
            Outcome allocatable = send(burst, cluster, cluster.sibling(Reserving.ALLOCATABLE));
            System.out.printf(
                    "burst %d: %d run in allocatable mode%n",
                    seed, allocatable.running().size());
            assertThat(allocatable.running()).hasSizeLessThanOrEqualTo(best);
        }
    }

    /** ReplicaSets give their pods the names, and make the next pods of a batch before the first ones were seen. */
    @ParameterizedTest
    @MethodSource("fewerSeeds")
    void asManyRunAsCanOfReplicaSets(long seed, Cluster cluster, Reserving reserving) throws Exception {
        Burst burst = Burst.of(seed, size(seed), Burst.Sizes.EVEN);
        build(burst, cluster, reserving);
        int best = Best.running(burst);
        double late = late(reserving);
        List<ReplicaSet> replicaSets = burst.replicaSets();
        replicaSets.forEach(replicaSet -> {
            var _ = cluster.client()
                    .apps()
                    .replicaSets()
                    .inNamespace(cluster.namespace())
                    .resource(replicaSet)
                    .create();
        });
        Eventually.within(
                PATIENCE,
                "each pod was created",
                () -> cluster.pods().size() == burst.pods().size());
        Set<String> waiting = awaitScheduler(cluster, cluster.namespace());
        int running = burst.pods().size() - waiting.size();
        System.out.printf(
                "burst %d of %d ReplicaSets: %d pods; the best is %d: %d run, %.0f were seen after their room was given"
                        + " away%n",
                seed, replicaSets.size(), burst.pods().size(), best, running, late(reserving) - late);
        assertThat(running).as("running").isEqualTo(best);
        availableIsAsListed(cluster, reserving);
    }

    /** Behind the gateway each pod takes two seconds more, so that many are decided and not seen. */
    @ParameterizedTest
    @MethodSource("fewerSeeds")
    void asManyRunAsCanBehindASlowWebhook(long seed, Cluster cluster, Reserving reserving) throws Exception {
        Burst burst = Burst.of(seed, size(seed), Burst.Sizes.EVEN);
        build(burst, cluster, reserving);
        int best = Best.running(burst);
        try (Witness witness =
                new Witness(cluster, _ -> Reply.allow()).registered().withGateway(reserving.gateway())) {
            witness.delay(SLOW);
            double late = late(reserving);
            Outcome outcome = send(burst, cluster, witness.namespace());
            System.out.printf(
                    "burst %d behind a webhook that takes 2 s: %d pods; the best is %d: %d run, %d were promised room%n",
                    seed,
                    burst.pods().size(),
                    best,
                    outcome.running().size(),
                    outcome.promised().size());
            assertThat(outcome.running()).as("running").hasSize(best);
            // A pod is reviewed again after the slow webhook. If the scheduler has meanwhile given its room to a pod
            // that
            // waited, it is told to wait, and the other one runs in its place.
            assertThat(outcome.promised()).as("promised room").hasSizeLessThanOrEqualTo(best);
            assertThat(late(reserving))
                    .as("pods that were seen after their room was given away")
                    .isEqualTo(late);
        }
    }

    private static double late(Reserving reserving) throws Exception {
        return reserving.gateway().metrics().sum("gpu_webhook_ledger_late_pods_total");
    }

    /** What is promised fits when it is promised; where the scheduler then places others may undo it, and is told. */
    @ParameterizedTest
    @MethodSource("fewerSeeds")
    void promisesThatTheSchedulerUndoesAreCounted(long seed, Cluster cluster, Reserving reserving) throws Exception {
        Burst burst = Burst.of(seed, size(seed), Burst.Sizes.UNEVEN);
        build(burst, cluster, reserving);
        String namespace = cluster.sibling(Reserving.DENY);
        Outcome outcome = send(burst, cluster, namespace);
        availableIsAsListed(cluster, reserving);
        standsAs(outcome, reserving.gateway());
        remove(cluster, namespace);
        Outcome allocatable = send(burst, cluster, cluster.sibling(Reserving.ALLOCATABLE));
        System.out.printf(
                "uneven burst %d: %d pods, %d nodes; %d were promised room, %d run, %d in allocatable mode%n",
                seed,
                burst.pods().size(),
                burst.nodes().size(),
                outcome.promised().size(),
                outcome.running().size(),
                allocatable.running().size());
    }

    /** While nobody waits for long to be seen, nobody has to give way, however many namespaces want the same. */
    @ParameterizedTest
    @MethodSource("fewerSeeds")
    void asManyRunAsCanFromSeveralNamespaces(long seed, Cluster cluster, Reserving reserving) throws Exception {
        Burst burst = Burst.of(seed, size(seed), Burst.Sizes.EVEN);
        build(burst, cluster, reserving);
        List<String> namespaces = List.of(cluster.namespace(), cluster.sibling("-two"), cluster.sibling("-three"));
        List<Callable<Outcome>> senders = new ArrayList<>();
        for (int i = 0; i < namespaces.size(); i++) {
            int which = i;
            List<Pod> pods = IntStream.range(0, burst.pods().size())
                    .filter(pod -> pod % namespaces.size() == which)
                    .mapToObj(burst.pods()::get)
                    .toList();
            senders.add(() -> send(pods, cluster, namespaces.get(which)));
        }
        int running = 0;
        try (ExecutorService threads = Executors.newCachedThreadPool()) {
            for (Future<Outcome> outcome : threads.invokeAll(senders)) {
                running += outcome.get().running().size();
            }
        }
        double gaveWay = reserving.gateway().metrics().sum("gpu_webhook_ledger_decisions_gave_way_total");
        System.out.printf(
                "burst %d in %d namespaces: %d pods, %d run, %.0f decisions had to give way%n",
                seed, namespaces.size(), burst.pods().size(), running, gaveWay);
        assertThat(running).isEqualTo(Best.running(burst));
        availableIsAsListed(cluster, reserving);
    }

    private static void build(Burst burst, Cluster cluster, Reserving reserving) throws Exception {
        reserving.awaitNodes(cluster);
        for (Node node : burst.nodes()) {
            var _ = cluster.client().nodes().resource(node).create();
        }
        reserving.awaitNodes(cluster);
        String others = cluster.sibling("-others");
        var _ = Writers.create(cluster, burst.others(), others);
        Eventually.holds(
                "the others run, or have ended",
                () -> cluster.client()
                        .pods()
                        .inNamespace(others)
                        .withField("status.phase", "Pending")
                        .list()
                        .getItems()
                        .isEmpty());
    }

    /** Created by all writers, and until the scheduler has had its say about each. */
    private static Outcome send(Burst burst, Cluster cluster, String namespace) throws Exception {
        return send(burst.pods(), cluster, namespace);
    }

    private static Outcome send(List<Pod> pods, Cluster cluster, String namespace) throws Exception {
        double failedOpen = cluster.plane().api().failOpenCount();
        Map<String, Api.Answer> answers = Writers.create(cluster, pods, namespace);
        assertThat(cluster.plane().api().failOpenCount())
                .as("pods that were admitted without a decision")
                .isEqualTo(failedOpen);
        assertThat(answers.values()).extracting(Api.Answer::status).isSubsetOf(201, 403);
        return new Outcome(answers, awaitScheduler(cluster, namespace));
    }

    /** Returns the names of those pods that wait, when each runs or was found to be unschedulable. */
    private static Set<String> awaitScheduler(Cluster cluster, String namespace) {
        Eventually.within(
                PATIENCE,
                "each runs or was found to be unschedulable",
                () -> waiting(cluster, namespace).stream()
                        .allMatch(pod -> Cluster.unschedulable(pod).isPresent()));
        return waiting(cluster, namespace).stream()
                .map(pod -> pod.getMetadata().getName())
                .collect(Collectors.toSet());
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

    /** Whoever was promised room and has none is counted, and the ledger agrees with the lists it was made of. */
    private static void standsAs(Outcome outcome, Gateway gateway) {
        int broken = outcome.promisedButWaiting().size();
        Eventually.within(LONGEST_RESERVATION, "as many promises are said to be broken as are: " + broken, () -> {
            MetricsPage page = gateway.metrics();
            return page.has("gpu_webhook_ledger_audit_findings")
                    && page.sum("gpu_webhook_ledger_audit_findings") == 0
                    && page.has("gpu_webhook_ledger_overcommitted_pods")
                    && page.sum("gpu_webhook_ledger_overcommitted_pods") == broken
                    && page.sum("gpu_webhook_ledger_unplaced_pods")
                            == outcome.waiting().size()
                    && page.sum("gpu_webhook_ledger_assumed_decisions") == 0;
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
                () -> cluster.client()
                        .pods()
                        .inNamespace(namespace)
                        .list()
                        .getItems()
                        .isEmpty());
    }

    /** {@code waiting} are the names of those that the scheduler could not place. */
    private record Outcome(Map<String, Api.Answer> answers, Set<String> waiting) {

        Set<String> running() {
            return created(name -> !waiting.contains(name));
        }

        /** A pod for which there is no room is told so. */
        Set<String> promised() {
            return created(name -> Objects.requireNonNull(answers.get(name)).warnings().stream()
                    .noneMatch(warning -> warning.contains("the pod waits")));
        }

        /**
         * Empty where nobody waits: the scheduler does not know who was promised what, and of two it takes the one that
         * was stored first.
         */
        Set<String> promisedButWaiting() {
            Set<String> names = promised();
            names.retainAll(waiting);
            return names;
        }

        private Set<String> created(Predicate<String> wanted) {
            return answers.entrySet().stream()
                    .filter(each -> each.getValue().status() == 201)
                    .map(Map.Entry::getKey)
                    .filter(wanted)
                    .collect(Collectors.toCollection(TreeSet::new));
        }
    }
}
