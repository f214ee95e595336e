package dev.sluice.watch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.bus.Topic;
import dev.sluice.event.ClusterEvent;
import dev.sluice.event.NodeEvent;
import dev.sluice.event.PodEvent;
import dev.sluice.kube.transport.ListPager;
import dev.sluice.record.RecordBatch;
import dev.sluice.record.ReviewRecord.PodWithoutGpu;
import dev.sluice.watch.FakeApiServer.Fault;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Collections;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** When pods are listed: at once where decisions need them, and otherwise when that disturbs no review. */
class OptionalPodsTest {

    private static final Duration FIVE = Duration.ofSeconds(5);
    private static final Duration SOON = Duration.ofMillis(4);
    private static final RecordBatch MANY = new RecordBatch(Collections.nCopies(21, new PodWithoutGpu(1_000)));

    private final Vertx vertx = Vertx.vertx();
    private FakeApiServer server;
    private KubernetesClient client;
    private LedgerProbe ledger;

    @BeforeEach
    void startsTheServer() throws Exception {
        Topic.install(vertx);
        server = new FakeApiServer(vertx, FakeApiServer.Kind.NODE);
        ledger = new LedgerProbe(vertx);
        client = server.client();
    }

    @AfterEach
    void stopsEverything() throws Exception {
        var _ = await(vertx.close());
        client.close();
    }

    private static <T> T await(Future<T> future) throws Exception {
        return future.toCompletionStage().toCompletableFuture().get(10, TimeUnit.SECONDS);
    }

    private void watch(PodAccess access, Duration interval, int mostIntervals) throws Exception {
        ReflectorTimings timings = new ReflectorTimings(
                new ReflectorTimings.ReadTimeouts(FIVE, new ListPager.ListTimeouts(FIVE, FIVE), FIVE),
                Duration.ofMinutes(5),
                new ReflectorTimings.BackoffLimits(SOON, Duration.ofMillis(20), SOON, Duration.ofMillis(20)),
                new ReflectorTimings.FreshnessChecks(FIVE, FIVE),
                new ReflectorTimings.OptionalPods(interval, mostIntervals));
        var _ = await(vertx.deployVerticle(new WatcherVerticle(client, InstantSource.system(), access, timings)));
    }

    private static boolean isEndOfList(ClusterEvent event) {
        return event instanceof NodeEvent.NodeListEnded || event instanceof PodEvent.ListEnded;
    }

    private boolean podsAreListed() {
        return ledger.podEvents().stream().anyMatch(OptionalPodsTest::isEndOfList);
    }

    @ParameterizedTest
    @EnumSource
    void podsAreListedAfterTheNodesUnlessDecisionsNeedThem(PodAccess access) throws Exception {
        server.run(() -> server.onNextLists(Fault.UNAVAILABLE, Fault.UNAVAILABLE, Fault.UNAVAILABLE));
        CompletableFuture<ClusterEvent> first = new CompletableFuture<>();
        vertx.getOrCreateContext()
                .runOnContext(_ -> Topic.CLUSTER_EVENTS.subscribe(vertx, event -> {
                    if (isEndOfList(event)) {
                        var _ = first.complete(event);
                    }
                }));

        watch(access, SOON, 1);
        ledger.awaitThat(probe -> probe.isSynced() && podsAreListed());

        assertThat(first.get(10, TimeUnit.SECONDS))
                .isInstanceOf(access == PodAccess.REQUIRED ? PodEvent.class : NodeEvent.class);
    }

    @Test
    void manyReviewsHoldUpTheListUntilTheyAreOver() throws Exception {
        long reviews = vertx.setPeriodic(10, _ -> Topic.DECISIONS.publish(vertx, MANY));
        watch(PodAccess.OPTIONAL, Duration.ofMillis(500), 1_000);
        ledger.awaitThat(LedgerProbe::isSynced);

        TimeUnit.MILLISECONDS.sleep(1_200);
        assertThat(podsAreListed()).isFalse();

        vertx.cancelTimer(reviews);
        ledger.awaitThat(_ -> podsAreListed());
    }
}
