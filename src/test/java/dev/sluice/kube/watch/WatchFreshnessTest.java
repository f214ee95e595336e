package dev.sluice.kube.watch;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import dev.sluice.bus.Topic;
import dev.sluice.cluster.ClusterEvent;
import dev.sluice.cluster.MalformedClusterObjects;
import dev.sluice.cluster.NodeEvent;
import dev.sluice.cluster.PodEvent;
import dev.sluice.kube.client.ApiServerListPager;
import dev.sluice.kube.watch.FakeApiServer.Fault;
import dev.sluice.log.LogLines;
import dev.sluice.record.ReviewRecord.PodWithoutGpu;
import dev.sluice.record.ReviewRecordBatch;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.slf4j.LoggerFactory;

/** How it is proved that all was told, what is said of what was not, and when pods are listed that nobody needs. */
@SuppressWarnings("NullAway.Init") // each test begins by serving the kind that it is about
class WatchFreshnessTest {

    private static final Duration FIVE = Duration.ofSeconds(5);
    private static final Duration SOON = Duration.ofMillis(4);
    private static final InstantSource CLOCK = InstantSource.system();

    private final Vertx vertx = Vertx.vertx();
    private FakeApiServer server;
    private KubernetesClient client;
    private LedgerProbe ledger;

    @AfterEach
    void stopsEverything() throws Exception {
        await(vertx.close());
        client.close();
    }

    private static <T> T await(Future<T> future) throws Exception {
        return future.toCompletionStage().toCompletableFuture().get(10, TimeUnit.SECONDS);
    }

    private void serve(FakeApiServer.Kind kind) throws Exception {
        Topic.install(vertx);
        server = new FakeApiServer(vertx, kind);
        ledger = new LedgerProbe(vertx);
        client = server.client();
        server.run(() -> List.of("a", "b", "c").forEach(name -> server.put(name, "4")));
    }

    private void watch(PodReflectorAccess access, Duration watchIdle, Duration relistAfter) throws Exception {
        watch(access, watchIdle, relistAfter, new ReflectorTimings.OptionalPods(SOON, 1));
    }

    private void watch(
            PodReflectorAccess access,
            Duration watchIdle,
            Duration relistAfter,
            ReflectorTimings.OptionalPods optionalPods)
            throws Exception {
        ReflectorTimings timings = new ReflectorTimings(
                new ReflectorTimings.ReadTimeouts(FIVE, new ApiServerListPager.ListTimeouts(FIVE, FIVE), watchIdle),
                Duration.ofMinutes(5),
                new ReflectorTimings.BackoffLimits(SOON, Duration.ofMillis(20), SOON, Duration.ofMillis(20)),
                new ReflectorTimings.FreshnessChecks(Duration.ofMillis(5), relistAfter),
                optionalPods);
        var _ = await(vertx.deployVerticle(new WatcherVerticle(client, CLOCK, access, timings)));
    }

    @Test
    void nodesAreProvedToBeCurrentToo() throws Exception {
        serve(FakeApiServer.Kind.NODE);
        watch(PodReflectorAccess.REQUIRED, Duration.ofSeconds(30), Duration.ofMinutes(5));
        server.awaitAsked("watch");
        server.run(server::changeElsewhere);
        Instant changed = CLOCK.instant();
        server.awaitAsked("read");
        server.awaitAsked("read");
        assertThat(ledger.nodesSyncedUpTo()).isBefore(changed);
        server.run(() -> server.bookmark(server.version()));
        ledger.awaitThat(probe -> probe.nodesSyncedUpTo().isAfter(changed));
    }

    @Test
    void whereNoBookmarkComesAListIsTheProof() throws Exception {
        serve(FakeApiServer.Kind.POD);
        watch(PodReflectorAccess.REQUIRED, Duration.ofMillis(50), Duration.ofMillis(200));
        server.awaitAsked("watch");
        server.run(server::changeElsewhere);
        Instant changed = CLOCK.instant();
        ledger.awaitThat(probe -> probe.podEvents().stream()
                .anyMatch(event -> event instanceof PodEvent.ListEnded ended
                        && ended.asOf().isAfter(changed)));
    }

    @Test
    void aListThatIsOlderThanWhatWasToldTakesTheProofBack() throws Exception {
        serve(FakeApiServer.Kind.POD);
        watch(PodReflectorAccess.REQUIRED, Duration.ofSeconds(1), Duration.ofMinutes(5));
        server.awaitAsked("watch");
        server.run(() -> {
            server.goBackTo(50);
            server.bookmark(50);
        });
        ledger.awaitThat(probe -> probe.podEvents().contains(new PodEvent.ListEnded(50, Instant.MIN)));
        Instant now = CLOCK.instant();
        ledger.awaitThat(probe -> probe.podEvents().stream()
                .anyMatch(event -> event instanceof PodEvent.PodsSyncedUpTo told
                        && told.moment().isAfter(now)));
    }

    @Test
    void aServerThatAReadShowsToHaveLostItsPastIsListedAgain() throws Exception {
        serve(FakeApiServer.Kind.POD);
        watch(PodReflectorAccess.REQUIRED, Duration.ofMillis(100), Duration.ofMinutes(5));
        server.awaitAsked("watch");
        server.run(() -> server.goBackTo(50));
        ledger.awaitThat(probe -> probe.podEvents().contains(new PodEvent.ListEnded(50, Instant.MIN)));
    }

    @Test
    void podsThatNobodyNeedsMayBeWithheldAndAreListedOnceTheyAreNot() throws Exception {
        serve(FakeApiServer.Kind.POD);
        server.run(() -> server.onNextLists(Fault.FORBIDDEN, Fault.FORBIDDEN));
        LogLines lines = listen(WatchStatusReporter.class);
        watch(PodReflectorAccess.OPTIONAL, Duration.ofSeconds(30), Duration.ofMinutes(5));
        ledger.awaitThat(probe -> probe.podStatus().isWithheld());
        assertThat(ledger.podStatus().isSynced()).isFalse();
        assertThat(ledger.podStatus().failures()).isZero();
        ledger.awaitThat(probe -> probe.podStatus().isSynced());
        assertThat(lines.list)
                .filteredOn(line -> line.getMessage().startsWith("the account may not list these"))
                .hasSize(1);
    }

    private static boolean isEndOfList(ClusterEvent event) {
        return event instanceof NodeEvent.NodeListEnded || event instanceof PodEvent.ListEnded;
    }

    private boolean podsAreListed() {
        return ledger.podEvents().stream().anyMatch(WatchFreshnessTest::isEndOfList);
    }

    @ParameterizedTest
    @EnumSource
    void podsAreListedAfterTheNodesUnlessDecisionsNeedThem(PodReflectorAccess access) throws Exception {
        serve(FakeApiServer.Kind.NODE);
        server.run(() -> server.onNextLists(Fault.UNAVAILABLE, Fault.UNAVAILABLE, Fault.UNAVAILABLE));
        CompletableFuture<ClusterEvent> first = new CompletableFuture<>();
        vertx.getOrCreateContext()
                .runOnContext(_ -> Topic.CLUSTER_EVENTS.subscribe(vertx, event -> {
                    if (isEndOfList(event)) {
                        var _ = first.complete(event);
                    }
                }));

        watch(access, FIVE, FIVE);
        ledger.awaitThat(probe -> probe.isSynced() && podsAreListed());

        assertThat(first.get(10, TimeUnit.SECONDS))
                .isInstanceOf(access == PodReflectorAccess.REQUIRED ? PodEvent.class : NodeEvent.class);
    }

    @Test
    void manyReviewsHoldUpTheListUntilTheyAreOver() throws Exception {
        serve(FakeApiServer.Kind.NODE);
        ReviewRecordBatch many = new ReviewRecordBatch(Collections.nCopies(21, new PodWithoutGpu(1_000)));
        // At least two intervals pass meanwhile.
        CountDownLatch published = new CountDownLatch(150);
        long reviews = vertx.setPeriodic(10, _ -> {
            Topic.DECISIONS.publish(vertx, many);
            published.countDown();
        });
        watch(
                PodReflectorAccess.OPTIONAL,
                FIVE,
                FIVE,
                new ReflectorTimings.OptionalPods(Duration.ofMillis(500), 1_000));
        ledger.awaitThat(LedgerProbe::isSynced);

        assertThat(published.await(10, TimeUnit.SECONDS)).isTrue();
        assertThat(podsAreListed()).isFalse();

        vertx.cancelTimer(reviews);
        ledger.awaitThat(_ -> podsAreListed());
    }

    @Test
    void podsThatDecisionsNeedAreMissedWhereTheyAreForbidden() throws Exception {
        serve(FakeApiServer.Kind.POD);
        server.run(() -> server.onNextLists(Fault.FORBIDDEN, Fault.FORBIDDEN));
        watch(PodReflectorAccess.REQUIRED, Duration.ofSeconds(30), Duration.ofMinutes(5));
        ledger.awaitThat(probe -> probe.podStatus().failures() == 2);
        ledger.awaitThat(probe -> probe.podStatus().isSynced());
    }

    @Test
    void whatCannotBeReadIsCountedAndNamedUntilItCanOrIsGone() throws Exception {
        serve(FakeApiServer.Kind.POD);
        server.run(() -> server.put("x", "many"));
        watch(PodReflectorAccess.REQUIRED, Duration.ofSeconds(30), Duration.ofMinutes(5));
        awaitPassedOver(1, "team/x");
        server.awaitAsked("watch");
        server.run(() -> server.put("a", "more"));
        server.run(() -> server.bookmark(server.version()));
        awaitPassedOver(2, "team/x", "team/a");
        assertThat(ledger.podEvents())
                .as("what was known of it stays")
                .noneMatch(event -> event instanceof PodEvent.PodRemoved removed
                        && removed.name().equals("team/a"));
        server.run(() -> server.put("a", "4"));
        awaitPassedOver(1, "team/x");
        server.run(() -> server.delete("x"));
        awaitPassedOver(0);
        assertThat(ledger.podStatus().unreadable().total()).isEqualTo(2);
    }

    private void awaitPassedOver(long now, String... names) throws Exception {
        // The status is told with the next sign of life, once a second.
        server.run(() -> vertx.setPeriodic(50, _ -> server.bookmark(server.version())));
        ledger.awaitThat(probe -> {
            MalformedClusterObjects unreadable = probe.podStatus().unreadable();
            return unreadable.current() == now && unreadable.names().equals(List.of(names));
        });
    }

    private static LogLines listen(Class<?> type) {
        LogLines lines = new LogLines();
        ((Logger) LoggerFactory.getLogger(type)).addAppender(lines);
        return lines;
    }
}
