package dev.sluice.kube.watch;

import dev.sluice.admission.injection.Injector;
import dev.sluice.admission.request.ActivePolicy;
import dev.sluice.admission.request.ContainerRequest;
import dev.sluice.admission.request.FallbackChains;
import dev.sluice.admission.request.NamespacePolicy;
import dev.sluice.admission.request.PodRequest;
import dev.sluice.admission.request.PodRequestAnnotations;
import dev.sluice.admission.request.Policies;
import dev.sluice.admission.request.Policy;
import dev.sluice.admission.request.PolicySwitches;
import dev.sluice.admission.verdict.Reason;
import dev.sluice.admission.verdict.Verdict;
import dev.sluice.bus.BusRequestDeadline;
import dev.sluice.bus.DecideReply;
import dev.sluice.bus.DecideRequest;
import dev.sluice.bus.Service;
import dev.sluice.bus.Topic;
import dev.sluice.cluster.NodeConstraints;
import dev.sluice.cluster.PodContainerKind;
import dev.sluice.cluster.Toleration;
import dev.sluice.cluster.quantity.ExactAmounts;
import dev.sluice.cluster.quantity.Quantity;
import dev.sluice.cluster.quantity.ResourceName;
import dev.sluice.kube.watch.FakeApiServer.Fault;
import dev.sluice.lease.DecisionVerticle;
import dev.sluice.record.RecordedReviewHead.PodOwner;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.random.RandomGenerator;

/**
 * The watch and the decisions of a gateway in availability mode, from their start on, at an API server that fails at
 * random while it is listed. The only node with GPUs is on the last page of nodes, and pods on several pages use all of
 * them at each moment. A decision that knows less than both whole lists is therefore another than the denial that all
 * are in use.
 */
final class RandomStart {

    private static final Policy DENY = PolicySwitches.with(
            Policy.DEFAULT,
            Policy.Mode.AVAILABILITY,
            Policy.WhenNotOffered.DENY,
            Policy.WhenExhausted.DENY,
            FallbackChains.NONE);

    /** A start mostly waits for an API server that does not answer. */
    private static final int AT_A_TIME = 20;

    private static final NodeConstraints TOLERATING = new NodeConstraints(
            null,
            Map.of(),
            null,
            List.of(new Toleration("nvidia.com/gpu", Toleration.TolerationOperator.EXISTS, "", "")));

    private static final int GPUS = 8;

    /** The number of right decisions in turn after which a start has succeeded. */
    private static final int DECISIONS = 5;

    /** Longer than faults and their backoff take, because other programs may have the processors. */
    private static final Duration STARTED = Duration.ofMinutes(1);

    private final Vertx vertx;
    private final RandomGenerator random;
    private final FakeApiServer nodes;
    private final FakeApiServer pods;
    private final Promise<Void> started = Promise.promise();
    private int decided;
    private int created = GPUS;

    private RandomStart(Vertx vertx, long seed) throws Exception {
        this.vertx = vertx;
        random = new Random(seed);
        nodes = new FakeApiServer(vertx, FakeApiServer.Kind.NODE);
        pods = nodes.beside(FakeApiServer.Kind.POD);
    }

    /** Makes starts with the seeds from the first one on. Fails with an error that names the seed. */
    static void check(long first, long starts) throws Exception {
        List<Callable<Void>> tasks = new ArrayList<>();
        for (long seed = first; seed < first + starts; seed++) {
            long one = seed;
            tasks.add(() -> {
                check(one);
                return null;
            });
        }
        try (ExecutorService threads = Executors.newFixedThreadPool(AT_A_TIME)) {
            for (var start : threads.invokeAll(tasks)) {
                var _ = start.get();
            }
        }
    }

    private static void check(long seed) throws Exception {
        Vertx vertx = Vertx.vertx();
        try {
            Topic.install(vertx);
            new RandomStart(vertx, seed).run();
        } catch (AssertionError | ExecutionException | TimeoutException wrong) {
            throw new AssertionError("seed " + seed + ": " + wrong.getMessage(), wrong);
        } finally {
            var _ = await(vertx.close());
        }
    }

    private static <T> T await(Future<T> future) throws Exception {
        return future.toCompletionStage().toCompletableFuture().get(STARTED.toSeconds(), TimeUnit.SECONDS);
    }

    private void run() throws Exception {
        nodes.run(() -> {
            List.of("a", "b", "c", "d").forEach(name -> nodes.put(name, "0"));
            nodes.put("n1", Integer.toString(GPUS));
            for (int i = 0; i < GPUS; i++) {
                pods.put("p" + i, "1");
            }
            List.of(nodes, pods).forEach(this::goesWrong);
        });
        try (KubernetesClient client = nodes.client()) {
            var _ = await(vertx.deployVerticle(new DecisionVerticle(
                    ActivePolicy.first(new Policies(DENY, Map.of()), Injector.NONE),
                    Optional.empty(),
                    Instant::now,
                    Duration.ofSeconds(30))));
            nodes.run(() -> {
                ask();
                act();
            });
            String watcher = await(vertx.deployVerticle(
                    new WatcherVerticle(client, Instant::now, PodReflectorAccess.REQUIRED, FaultyWatch.TIMINGS)));
            var _ = await(started.future());
            var _ = await(vertx.undeploy(watcher));
        }
    }

    private void goesWrong(FakeApiServer server) {
        server.onNextLists(faults());
        server.onNextPages(faults());
        server.onNextWatches(faults());
        server.onNextReads(faults());
    }

    private Fault[] faults() {
        Fault[] all = Fault.values();
        return random.ints(random.nextInt(4), 0, all.length)
                .mapToObj(i -> all[i])
                .toArray(Fault[]::new);
    }

    /** Changes the cluster and breaks connections, every few milliseconds. */
    private void act() {
        switch (random.nextInt(6)) {
            case 0, 1, 2 -> replaceAPod();
            case 3 -> List.of(nodes, pods).forEach(server -> server.bookmark(server.version()));
            case 4 -> pods.endWatches();
            default -> nodes.breakConnections();
        }
        vertx.setTimer(1 + random.nextInt(8), _ -> act());
    }

    /** The next pod is created before the oldest one is gone, so that all GPUs are in use at each moment. */
    private void replaceAPod() {
        pods.put("p" + created, "1");
        pods.delete("p" + (created - GPUS));
        created++;
    }

    private void ask() {
        BusRequestDeadline deadline = BusRequestDeadline.in(Duration.ofSeconds(10));
        var _ = Service.DECIDE
                .ask(vertx, question(deadline), deadline)
                .onFailure(started::tryFail)
                .onSuccess(this::judge);
    }

    private static DecideRequest question(BusRequestDeadline deadline) {
        Map<ResourceName, Quantity> one = Map.of(ResourceName.NVIDIA_GPU, Quantity.of(1));
        PodRequest pod = new PodRequest(
                List.of(new ContainerRequest(PodContainerKind.MAIN, 0, "main", one, one)),
                ExactAmounts.NONE,
                ExactAmounts.NONE,
                /* gated= */ false,
                TOLERATING,
                PodRequestAnnotations.NONE);
        return new DecideRequest(
                "uid",
                "train",
                PodOwner.NONE,
                DecideRequest.ReviewEffect.DRY_RUN,
                pod,
                new NamespacePolicy(DENY, Injector.NONE, "team"),
                deadline);
    }

    private void judge(DecideReply reply) {
        if (reply instanceof DecideReply.Answered(Verdict verdict)) {
            decided++;
            if (!(verdict instanceof Verdict.Denied denied && denied.reason() == Reason.EXHAUSTED)) {
                started.tryFail(new AssertionError("decision " + decided + " knew too little: " + verdict));
            }
        }
        if (decided == DECISIONS) {
            started.tryComplete();
        } else if (!started.future().isComplete()) {
            vertx.setTimer(1, _ -> ask());
        }
    }
}
