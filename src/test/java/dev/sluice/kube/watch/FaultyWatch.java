package dev.sluice.kube.watch;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import dev.sluice.bus.Topic;
import dev.sluice.kube.client.ApiServerListPager;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.random.RandomGenerator;

/**
 * The real watch of nodes, at an API server that does the same thing wrong again and again while nodes change. At each
 * moment the ledger must know all that changed before the time up to which it says that it is complete. Once the faults
 * have ended, it must soon be equal to a list.
 */
final class FaultyWatch {

    private static final Duration ANSWER = Duration.ofMillis(500);
    private static final Duration BACKOFF = Duration.ofMillis(5);

    /** Like those of production, but shorter. A busy machine answers later than after a few milliseconds. */
    static final ReflectorTimings TIMINGS = new ReflectorTimings(
            new ReflectorTimings.ReadTimeouts(
                    ANSWER, new ApiServerListPager.ListTimeouts(ANSWER, Duration.ofSeconds(1)), Duration.ofMillis(100)),
            Duration.ofMillis(80),
            new ReflectorTimings.BackoffLimits(BACKOFF, Duration.ofMillis(20), BACKOFF, Duration.ofMillis(20)),
            new ReflectorTimings.FreshnessChecks(Duration.ofMillis(20), Duration.ofMillis(150)),
            new ReflectorTimings.OptionalPods(BACKOFF, 1));

    /** Longer than the times above require, because other programs may have the processors. */
    private static final Duration HEALED = Duration.ofMinutes(1);

    private static final int STEPS = 60;

    /** The duration of a watch of the server once it works. */
    private static final int WATCH_MILLIS = 40;

    /** The number of GPUs that a node has from this time on; empty if it does not exist. */
    private record Change(Instant at, Optional<Long> gpus) {}

    private final WatchFault fault;
    private final RandomGenerator random;
    private final JumpingClock clock = new JumpingClock();
    private final Map<String, List<Change>> changes = new HashMap<>();
    private final FakeApiServer server;
    private final LedgerProbe ledger;
    private long gpus = 10;

    /** True after the only restore from a backup. A second one would give out the same versions once more. */
    private boolean restored;

    private FaultyWatch(WatchFault fault, long seed, FakeApiServer server, LedgerProbe ledger) {
        this.fault = fault;
        this.random = new Random(seed);
        this.server = server;
        this.ledger = ledger;
    }

    /** Fails with an {@link AssertionError} that names the seed. */
    static void check(WatchFault fault, long seed) throws Exception {
        Vertx vertx = Vertx.vertx();
        try {
            Topic.install(vertx);
            FakeApiServer server = new FakeApiServer(vertx, FakeApiServer.Kind.NODE);
            new FaultyWatch(fault, seed, server, new LedgerProbe(vertx)).run(vertx);
        } catch (AssertionError | ExecutionException | TimeoutException wrong) {
            throw new AssertionError(fault + ", seed " + seed + ": " + wrong.getMessage(), wrong);
        } finally {
            await(vertx.close());
        }
    }

    private void run(Vertx vertx) throws Exception {
        try (KubernetesClient client = server.client()) {
            for (int i = 0; i < 5; i++) {
                server.run(this::change);
            }
            String watcher = await(
                    vertx.deployVerticle(new WatcherVerticle(client, clock, PodReflectorAccess.REQUIRED, TIMINGS)));
            try {
                Promise<Void> acted = Promise.promise();
                server.run(() -> act(STEPS, vertx, acted));
                await(acted.future());
                server.run(server::endFaults);
                heals();
            } finally {
                await(vertx.undeploy(watcher));
            }
        }
    }

    @CanIgnoreReturnValue
    private static <T> T await(Future<T> future) throws Exception {
        return future.toCompletionStage().toCompletableFuture().get(20, TimeUnit.SECONDS);
    }

    /** Takes the steps that are left, a few milliseconds after each other, and checks the ledger between them. */
    private void act(int left, Vertx vertx, Promise<Void> acted) {
        try {
            mustBeAsCompleteAsItSays();
            if (left == 0) {
                acted.complete();
                return;
            }
            step();
            vertx.setTimer(1 + random.nextInt(8), _ -> act(left - 1, vertx, acted));
        } catch (RuntimeException | AssertionError wrong) {
            acted.fail(wrong);
        }
    }

    private void step() {
        switch (random.nextInt(8)) {
            case 0, 1, 2, 3 -> change();
            case 4 -> server.bookmark(server.version());
            case 5 -> server.endWatches();
            default -> goWrong();
        }
    }

    private void goWrong() {
        if (restored) {
            server.breakConnections();
            return;
        }
        fault.happens(server, clock, random);
        if (fault == WatchFault.BACK_IN_TIME) {
            restored = true;
            changes.keySet().forEach(this::record);
        }
    }

    private void change() {
        String name = WatchFault.anyName(random);
        if (random.nextInt(4) == 0) {
            server.delete(name);
        } else {
            server.put(name, Long.toString(++gpus));
        }
        record(name);
    }

    /** The time is taken after the change, so that who knows everything before it need not know the change. */
    private void record(String name) {
        changes.computeIfAbsent(name, _ -> new ArrayList<>())
                .add(new Change(
                        clock.instant(), Optional.ofNullable(server.nodes().get(name))));
    }

    /** Compares the ledger with all that was ever true; on the loop of the server. */
    private void mustBeAsCompleteAsItSays() {
        Instant complete;
        Map<String, Long> known;
        synchronized (ledger) {
            complete = ledger.nodesSyncedUpTo();
            known = ledger.gpus();
        }
        changes.forEach((name, all) -> {
            Optional<Long> has = Optional.ofNullable(known.get(name));
            int last = (int) all.stream()
                            .filter(change -> change.at().isBefore(complete))
                            .count()
                    - 1;
            if (last >= 0
                    && all.stream().skip(last).noneMatch(change -> change.gpus().equals(has))) {
                throw new AssertionError("the ledger says that it knows all before " + complete + ", and has " + has
                        + " for " + name + ", of which these were true: " + all);
            }
        });
    }

    /**
     * Waits until the ledger is equal to a list. The API server works now: it sends a bookmark before each end of a
     * watch.
     */
    private void heals() throws Exception {
        Instant ended = clock.instant();
        Map<String, Long> truth = server.gpus();
        server.run(() -> server.work(WATCH_MILLIS));
        ledger.awaitThat(
                probe -> probe.gpus().equals(truth) && !probe.nodesSyncedUpTo().isBefore(ended), HEALED);
        server.run(this::mustBeAsCompleteAsItSays);
    }
}
