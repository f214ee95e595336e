package dev.sluice.kube.watch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.bus.Topic;
import dev.sluice.bus.WatchStatusMessage;
import dev.sluice.cluster.Pod;
import dev.sluice.cluster.PodEvent;
import dev.sluice.cluster.PodId;
import dev.sluice.cluster.quantity.ResourceName;
import dev.sluice.kube.client.ApiServerListPager;
import dev.sluice.kube.watch.FakeApiServer.Fault;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class PodWatchTest {

    private static final Instant NOON = Instant.parse("2026-11-21T12:00:00Z");
    private static final ReflectorTimings WITHOUT_READS = timings(Duration.ofMinutes(5));
    private static final ReflectorTimings WITH_READS = timings(Duration.ofMillis(5));

    private final Vertx vertx = Vertx.vertx();
    private final AtomicReference<Instant> now = new AtomicReference<>(NOON);
    private FakeApiServer server;
    private KubernetesClient client;
    private LedgerProbe ledger;

    private static ReflectorTimings timings(Duration readInterval) {
        Duration five = Duration.ofSeconds(5);
        return new ReflectorTimings(
                new ReflectorTimings.ReadTimeouts(
                        five, new ApiServerListPager.ListTimeouts(five, five), Duration.ofSeconds(30)),
                Duration.ofMinutes(5),
                new ReflectorTimings.BackoffLimits(
                        Duration.ofMillis(4), Duration.ofMillis(20), Duration.ofMillis(4), Duration.ofMillis(20)),
                new ReflectorTimings.FreshnessChecks(readInterval, Duration.ofSeconds(20)),
                new ReflectorTimings.OptionalPods(Duration.ofMillis(4), 1));
    }

    @BeforeEach
    void startsTheServer() throws Exception {
        Topic.install(vertx);
        server = new FakeApiServer(vertx, FakeApiServer.Kind.POD);
        ledger = new LedgerProbe(vertx);
        client = server.client();
        server.run(() -> List.of("a", "b", "c", "d", "e").forEach(name -> server.put(name, "4")));
    }

    @AfterEach
    void stopsEverything() throws Exception {
        await(vertx.close());
        client.close();
    }

    private void watchWith(ReflectorTimings timings) throws Exception {
        var _ = await(
                vertx.deployVerticle(new WatcherVerticle(client, now::get, PodReflectorAccess.REQUIRED, timings)));
    }

    private static <T> T await(Future<T> future) throws Exception {
        return future.toCompletionStage().toCompletableFuture().get(10, TimeUnit.SECONDS);
    }

    /** The GPUs of each pod, by what was told. */
    private static Map<String, Long> gpus(LedgerProbe probe) {
        Map<PodId, Pod> known = new TreeMap<>((a, b) -> Long.compare(a.low(), b.low()));
        Map<PodId, Pod> listed = new TreeMap<>((a, b) -> Long.compare(a.low(), b.low()));
        for (PodEvent event : probe.podEvents()) {
            switch (event) {
                case PodEvent.ListBegun _ -> listed.clear();
                case PodEvent.PodsPage page -> page.pods().forEach(pod -> listed.put(pod.id(), pod));
                case PodEvent.ListEnded _ -> {
                    known.clear();
                    known.putAll(listed);
                }
                case PodEvent.PodSeen seen -> known.put(seen.pod().id(), seen.pod());
                case PodEvent.PodRemoved removed -> known.remove(removed.id());
                case PodEvent.PodsBookmark _, PodEvent.PodsSyncedUpTo _ -> {}
            }
        }
        Map<String, Long> gpus = new TreeMap<>();
        known.values()
                .forEach(pod -> gpus.put(
                        pod.name().substring("team/".length()), pod.requests().get(ResourceName.NVIDIA_GPU)));
        return gpus;
    }

    private void toldEqualsTheServer() throws Exception {
        Map<String, Long> truth = server.gpus();
        ledger.awaitThat(probe -> ended(probe) > 0 && gpus(probe).equals(truth));
    }

    private static long ended(LedgerProbe probe) {
        return count(probe, PodEvent.ListEnded.class);
    }

    private static long count(LedgerProbe probe, Class<? extends PodEvent> type) {
        return probe.podEvents().stream().filter(type::isInstance).count();
    }

    @Test
    void tellsPagesAsTheyComeAndThenThatTheListIsComplete() throws Exception {
        watchWith(WITHOUT_READS);
        server.awaitAsked("watch");
        toldEqualsTheServer();
        assertThat(ledger.podEvents())
                .extracting(event -> event instanceof PodEvent.PodsPage page
                        ? "page of " + page.pods().size()
                        : event.toString())
                .containsExactly(
                        "ListBegun[]",
                        "page of 2",
                        "page of 2",
                        "page of 1",
                        new PodEvent.ListEnded(105, NOON).toString());
        ledger.awaitThat(probe -> probe.podStatus().isSynced());
        assertThat(ledger.podStatus().source()).startsWith("pods of http");
        assertThat(ledger.podStatus().kind()).isEqualTo(WatchStatusMessage.ObjectKind.PODS);
    }

    @Test
    void followsWhatIsCreatedChangedDeletedAndEnds() throws Exception {
        watchWith(WITHOUT_READS);
        server.awaitAsked("watch");
        server.run(() -> {
            server.put("f", "8");
            server.put("a", "0");
            server.delete("b");
            server.finish("c");
            server.bookmark(server.version());
        });
        ledger.awaitThat(probe -> count(probe, PodEvent.PodsBookmark.class) == 1);
        toldEqualsTheServer();
        assertThat(ledger.podEvents())
                .endsWith(
                        new PodEvent.PodRemoved(PodId.of("b"), "team/b", "of-b", 108),
                        new PodEvent.PodRemoved(PodId.of("c"), "team/c", "of-c", 109),
                        new PodEvent.PodsBookmark(109));
        assertThat(ended(ledger)).isEqualTo(1);
    }

    @Test
    void listsAgainOnceWhenARelistIsRequested() throws Exception {
        watchWith(WITHOUT_READS);
        server.awaitAsked("watch");
        toldEqualsTheServer();
        Topic.RELIST_REQUESTS.publish(vertx, new Topic.RelistRequested());
        Topic.RELIST_REQUESTS.publish(vertx, new Topic.RelistRequested());
        server.run(() -> vertx.setPeriodic(5, _ -> server.bookmark(server.version())));
        ledger.awaitThat(probe -> ended(probe) == 2);
        Topic.RELIST_REQUESTS.publish(vertx, new Topic.RelistRequested());
        server.run(() -> server.put("f", "8"));
        toldEqualsTheServer();
        assertThat(ended(ledger)).isEqualTo(2);
    }

    /** A list that took 0.6 s allows no other one for 6 s. */
    @Test
    void tellsWhatHappensWhileARequestedListHasToWait() throws Exception {
        long pageNanos = TimeUnit.MILLISECONDS.toNanos(200);
        server.run(() -> server.whileUnderway(() -> LockSupport.parkNanos(pageNanos)));
        watchWith(WITHOUT_READS);
        server.awaitAsked("watch");
        toldEqualsTheServer();
        Topic.RELIST_REQUESTS.publish(vertx, new Topic.RelistRequested());
        await(vertx.timer(20, TimeUnit.MILLISECONDS));
        for (String name : List.of("f", "g", "h")) {
            server.run(() -> server.put(name, "8"));
            toldEqualsTheServer();
        }
        assertThat(ended(ledger)).isEqualTo(1);
        server.run(() -> vertx.setPeriodic(50, _ -> server.bookmark(server.version())));
        ledger.awaitThat(probe -> ended(probe) == 2);
    }

    @Test
    void aListWhosePagesExpireIsNotEndedAndTheNextOneIsTakenAtOnce() throws Exception {
        server.run(() -> server.onNextPages(Fault.NONE, Fault.GONE));
        watchWith(WITHOUT_READS);
        toldEqualsTheServer();
        assertThat(ledger.podEvents())
                .extracting(event -> event.getClass().getSimpleName())
                .containsExactly("ListBegun", "PodsPage", "PodsPage", "ListBegun", "PodsPage", "ListEnded");
        assertThat(server.timesAsked("next page")).isEqualTo(2);
    }

    @Test
    void aListThatIsCutShortIsNotEnded() throws Exception {
        server.run(() -> {
            server.onNextLists(Fault.UNAVAILABLE, Fault.NO_JSON);
            server.onNextPages(Fault.CUT_SHORT);
        });
        watchWith(WITHOUT_READS);
        toldEqualsTheServer();
        assertThat(count(ledger, PodEvent.ListBegun.class))
                .as("no list begins where there is no answer")
                .isEqualTo(2);
        assertThat(ended(ledger)).isEqualTo(1);
    }

    @Test
    void listsAgainWhenTheVersionHasExpired() throws Exception {
        server.run(() -> server.onNextWatches(Fault.GONE));
        watchWith(WITHOUT_READS);
        ledger.awaitThat(probe -> ended(probe) == 2);
        server.awaitAsked("watch");
        server.awaitAsked("watch");
        server.run(() -> {
            server.onNextWatches(Fault.GONE_AS_EVENT);
            server.endWatches();
            server.delete("d");
        });
        ledger.awaitThat(probe -> ended(probe) == 3);
        toldEqualsTheServer();
    }

    @Test
    void tellsReplayedEventsWithTheVersionsByWhichTheLedgerKnowsThem() throws Exception {
        watchWith(WITHOUT_READS);
        server.awaitAsked("watch");
        server.run(() -> {
            server.send(FakeApiServer.event("MODIFIED", FakeApiServer.pod("a", "9", 50)));
            server.put("f", "8");
        });
        ledger.awaitThat(probe -> gpus(probe).containsKey("f"));
        assertThat(ledger.podEvents())
                .anySatisfy(event -> assertThat(event)
                        .isInstanceOfSatisfying(
                                PodEvent.PodSeen.class,
                                seen -> assertThat(seen.pod().resourceVersion()).isEqualTo(50)));
        server.run(server::endWatches);
        server.awaitAsked("watch");
        assertThat(server.lastWatchedFrom()).isEqualTo(106);
    }

    /** What is stored while a read is on its way may be missing from it; the wait after a takeover rests on this. */
    @Test
    void speaksOfTheMomentAtWhichAReadBeganAndNotOfItsEnd() throws Exception {
        watchWith(WITH_READS);
        ledger.awaitThat(probe -> probe.podEvents().contains(new PodEvent.PodsSyncedUpTo(NOON)));
        Semaphore underway = new Semaphore(0);
        server.run(() -> {
            server.onNextReads(Fault.NONE, Fault.SILENT);
            server.whileUnderway(() -> {
                now.set(NOON.plusSeconds(10));
                underway.release();
            });
        });
        // The second read begins after everything was said about the first one, and has no answer.
        assertThat(underway.tryAcquire(2, 10, TimeUnit.SECONDS)).isTrue();
        server.run(() -> server.bookmark(server.version()));
        ledger.awaitThat(probe -> count(probe, PodEvent.PodsBookmark.class) == 1);

        assertThat(ledger.podEvents().stream().filter(PodEvent.PodsSyncedUpTo.class::isInstance))
                .containsOnly(new PodEvent.PodsSyncedUpTo(NOON));
    }

    /** Pods that are stored while the pages are on their way are in none of them. */
    @Test
    void speaksOfTheMomentAtWhichAListBeganAndNotOfItsEnd() throws Exception {
        server.run(() -> server.whileUnderway(() -> now.set(NOON.plusSeconds(10))));
        watchWith(WITHOUT_READS);
        ledger.awaitThat(probe -> ended(probe) == 1);

        assertThat(ledger.podEvents()).contains(new PodEvent.ListEnded(105, NOON));
    }

    @Test
    void speaksOfAMomentOnlyOnceTheVersionOfThatMomentIsPassed() throws Exception {
        watchWith(WITH_READS);
        ledger.awaitThat(probe -> probe.podEvents().contains(new PodEvent.PodsSyncedUpTo(NOON)));
        server.run(() -> {
            server.changeElsewhere();
            server.changeElsewhere();
        });
        Instant later = NOON.plusSeconds(1);
        PodEvent syncedUpToLater = new PodEvent.PodsSyncedUpTo(later);
        now.set(later);
        for (int i = 0; i < 5; i++) {
            server.awaitAsked("read");
        }
        server.run(() -> server.bookmark(server.version() - 1));
        ledger.awaitThat(probe -> count(probe, PodEvent.PodsBookmark.class) == 1);
        assertThat(ledger.podEvents()).doesNotContain(syncedUpToLater);
        server.run(() -> server.put("f", "8"));
        ledger.awaitThat(probe -> probe.podEvents().contains(syncedUpToLater));
        List<PodEvent> events = ledger.podEvents();
        assertThat(gpus(ledger)).containsKey("f");
        assertThat(events.subList(0, events.indexOf(syncedUpToLater)))
                .anyMatch(event -> event instanceof PodEvent.PodSeen seen
                        && seen.pod().name().equals("team/f"));
    }
}
