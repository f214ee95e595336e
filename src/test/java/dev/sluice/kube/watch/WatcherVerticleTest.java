package dev.sluice.kube.watch;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import dev.sluice.bus.Topic;
import dev.sluice.cluster.Node;
import dev.sluice.cluster.NodeEvent;
import dev.sluice.kube.client.ApiServerListPager;
import dev.sluice.kube.watch.FakeApiServer.Fault;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class WatcherVerticleTest {

    private static final Instant NOON = Instant.parse("2026-11-21T12:00:00Z");
    private static final Duration FIVE = Duration.ofSeconds(5);
    private static final Duration LONG = Duration.ofMinutes(5);
    private static final ReflectorTimings BRISK =
            timings(Duration.ofSeconds(30), Duration.ofMillis(4), Duration.ofMillis(20));
    private static final ReflectorTimings IMPATIENT =
            timings(Duration.ofMillis(100), Duration.ofMillis(4), Duration.ofMillis(20));

    private static ReflectorTimings timings(Duration watchIdle, Duration initialBackoff, Duration maxBackoff) {
        return timings(watchIdle, initialBackoff, maxBackoff, LONG);
    }

    private static ReflectorTimings timings(
            Duration watchIdle, Duration initialBackoff, Duration maxBackoff, Duration readInterval) {
        return new ReflectorTimings(
                new ReflectorTimings.ReadTimeouts(FIVE, new ApiServerListPager.ListTimeouts(FIVE, FIVE), watchIdle),
                LONG,
                new ReflectorTimings.BackoffLimits(initialBackoff, maxBackoff, initialBackoff, maxBackoff),
                new ReflectorTimings.FreshnessChecks(readInterval, LONG),
                new ReflectorTimings.OptionalPods(Duration.ofMillis(4), 1));
    }

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
        server.run(() -> {
            for (String name : List.of("a", "b", "c", "d", "e")) {
                server.put(name, "4");
            }
        });
    }

    @AfterEach
    void stopsEverything() throws Exception {
        await(vertx.close());
        client.close();
    }

    @CanIgnoreReturnValue
    private String watchWith(ReflectorTimings timings) throws Exception {
        return await(vertx.deployVerticle(
                new WatcherVerticle(client, InstantSource.fixed(NOON), PodReflectorAccess.REQUIRED, timings)));
    }

    private static <T> T await(Future<T> future) throws Exception {
        return future.toCompletionStage().toCompletableFuture().get(10, TimeUnit.SECONDS);
    }

    /** What a fresh list would tell. */
    private void ledgerEqualsTheServer() throws Exception {
        Map<String, Long> truth = server.gpus();
        ledger.awaitThat(probe -> probe.isSynced() && probe.gpus().equals(truth));
    }

    @Test
    void tellsEveryPageAsOneList() throws Exception {
        watchWith(BRISK);
        ledgerEqualsTheServer();
        server.awaitAsked("watch");
        assertThat(ledger.events()).first().isInstanceOf(NodeEvent.NodeListBegun.class);
        assertThat(ledger.events())
                .last()
                .isInstanceOfSatisfying(
                        NodeEvent.NodeListEnded.class,
                        end -> assertThat(end.resourceVersion()).isEqualTo(105));
        List<Node> nodes = ledger.events().stream()
                .filter(NodeEvent.NodesPage.class::isInstance)
                .flatMap(page -> ((NodeEvent.NodesPage) page).nodes().stream())
                .toList();
        assertThat(nodes).hasSize(5);
        assertThat(nodes.getFirst().labels()).containsEntry("gpu.product", "Größe-大-😀");
        assertThat(nodes.getFirst().taints().getFirst().value()).isEmpty();
    }

    @Test
    void followsWhatIsAddedChangedAndDeleted() throws Exception {
        watchWith(BRISK);
        server.awaitAsked("watch");
        server.run(() -> {
            server.put("f", "8");
            server.put("a", "0");
            server.delete("b");
        });
        ledgerEqualsTheServer();
        assertThat(ledger.gpus()).containsEntry("f", 8L).containsEntry("a", 0L).doesNotContainKey("b");
        assertThat(ledger.lists()).isEqualTo(1);
    }

    @Test
    void missesNothingBetweenListAndWatch() throws Exception {
        server.run(() -> server.afterNextList(() -> {
            server.put("f", "8");
            server.delete("a");
        }));
        watchWith(BRISK);
        ledger.awaitThat(probe -> probe.gpus().containsKey("f") && !probe.gpus().containsKey("a"));
        assertThat(ledger.lists()).isEqualTo(1);
    }

    @Test
    void missesNothingBetweenTwoWatches() throws Exception {
        watchWith(BRISK);
        server.awaitAsked("watch");
        server.run(() -> {
            server.put("f", "8");
            server.endWatches();
            server.put("g", "8");
            server.delete("f");
        });
        ledger.awaitThat(probe -> probe.gpus().containsKey("g") && !probe.gpus().containsKey("f"));
        server.awaitAsked("watch");
        server.run(() -> {
            server.put("h", "1");
            server.breakConnections();
            server.put("i", "2");
        });
        ledgerEqualsTheServer();
        assertThat(ledger.lists()).as("no second list was needed").isEqualTo(1);
    }

    @Test
    void keepsCharactersWholeThatTheNetworkCuts() throws Exception {
        watchWith(BRISK);
        server.awaitAsked("watch");
        server.run(() -> server.put("größer", "8"));
        ledger.awaitThat(probe -> probe.gpus().containsKey("größer"));
        assertThat(ledger.events().getLast())
                .isInstanceOfSatisfying(
                        NodeEvent.NodeSeen.class,
                        seen -> assertThat(seen.node().labels()).containsEntry("gpu.product", "Größe-大-😀"));
    }

    @Test
    void listsAgainWhenTheVersionHasExpired() throws Exception {
        server.run(() -> server.onNextWatches(Fault.GONE));
        watchWith(BRISK);
        ledger.awaitThat(probe -> probe.lists() == 2);
        server.awaitAsked("watch");
        server.awaitAsked("watch");
        server.run(() -> server.onNextWatches(Fault.GONE_AS_EVENT));
        server.run(() -> {
            server.endWatches();
            server.delete("c");
        });
        ledger.awaitThat(probe -> probe.lists() == 3);
        ledgerEqualsTheServer();
    }

    @Test
    void neverEndsAListWhosePagesExpired() throws Exception {
        server.run(() -> server.onNextPages(Fault.NONE, Fault.GONE));
        watchWith(BRISK);
        ledgerEqualsTheServer();
        assertThat(ledger.lists()).isEqualTo(1);
        assertThat(server.timesAsked("list")).isEqualTo(2);
        assertThat(server.timesAsked("next page"))
                .as("the second list is taken at once")
                .isEqualTo(2);
    }

    @Test
    void neverEndsAListThatIsCutShort() throws Exception {
        server.run(() -> {
            server.onNextLists(Fault.CUT_SHORT, Fault.NO_JSON, Fault.UNAVAILABLE, Fault.HANG_UP);
            server.onNextPages(Fault.CUT_SHORT);
        });
        watchWith(BRISK);
        ledgerEqualsTheServer();
        assertThat(ledger.lists()).isEqualTo(1);
        assertThat(server.timesAsked("list")).isEqualTo(6);
    }

    @Test
    void comesBackFromTheLastVersionWhenTheServerFails() throws Exception {
        watchWith(BRISK);
        server.awaitAsked("watch");
        server.run(() -> {
            server.onNextWatches(Fault.HANG_UP, Fault.HANG_UP, Fault.HANG_UP, Fault.UNAVAILABLE);
            server.breakConnections();
            server.put("f", "8");
        });
        ledgerEqualsTheServer();
        assertThat(ledger.lists()).isEqualTo(1);
        ledger.awaitThat(probe -> probe.status().problem().isEmpty());
        assertThat(ledger.status().failures())
                .as("the JDK's client repeats a GET by itself when the connection closed without an answer")
                .isGreaterThanOrEqualTo(3);
        assertThat(ledger.status().lastHeardAt()).isEqualTo(NOON);
    }

    @Test
    void reconnectsASilentWatchAndListsAgainAfterTheSecond() throws Exception {
        server.run(() -> server.onNextWatches(Fault.SILENT, Fault.SILENT));
        watchWith(IMPATIENT);
        server.awaitAsked("watch");
        server.awaitAsked("end of a watch");
        server.run(() -> server.put("f", "8"));
        ledgerEqualsTheServer();
        ledger.awaitThat(probe -> probe.lists() >= 2);
    }

    @Test
    void ignoresWhatIsReplayedOrOutOfOrder() throws Exception {
        watchWith(BRISK);
        server.awaitAsked("watch");
        server.run(() -> {
            server.put("f", "8");
            server.put("f", "2");
            server.send(FakeApiServer.event("MODIFIED", FakeApiServer.node("f", "8", 106)));
            server.delete("a");
            server.send(FakeApiServer.event("ADDED", FakeApiServer.node("a", "4", 101)));
            server.send(FakeApiServer.event("DELETED", FakeApiServer.node("b", "4", 90)));
            server.bookmark(server.version());
            server.send(FakeApiServer.event("ADDED", FakeApiServer.node("a", "4", 101)));
            server.put("last", "1");
        });
        ledger.awaitThat(probe -> probe.gpus().containsKey("last"));
        ledgerEqualsTheServer();
        assertThat(ledger.lists()).isEqualTo(1);
    }

    @Test
    void passesOverEventsItCannotUse() throws Exception {
        watchWith(BRISK);
        server.awaitAsked("watch");
        server.run(() -> {
            server.send(FakeApiServer.event("MODIFIED", FakeApiServer.node("a", "four", 150)));
            server.send(FakeApiServer.event("RENAMED", FakeApiServer.node("a", "1", 150)));
            server.send("{\"type\":\"ADDED\"}\n\n");
            server.put("f", "8");
        });
        ledgerEqualsTheServer();
        assertThat(ledger.lists()).isEqualTo(1);
    }

    @Test
    void listsAgainWhenTheServerWentBackInTime() throws Exception {
        watchWith(BRISK);
        server.awaitAsked("watch");
        server.run(() -> {
            server.goBackTo(50);
            server.bookmark(50);
        });
        ledger.awaitThat(probe -> probe.lists() == 2);
        ledgerEqualsTheServer();
        server.awaitAsked("watch");
        server.run(() -> server.put("a", "7"));
        ledgerEqualsTheServer();
    }

    @Test
    void comesBackFromABookmark() throws Exception {
        Duration brief = Duration.ofMillis(4);
        watchWith(timings(Duration.ofSeconds(30), brief, Duration.ofMillis(20), brief));
        server.awaitAsked("watch");
        server.run(() -> server.changeOthers(95));
        long readsBefore = server.timesAsked("read");
        for (long i = 0; i < readsBefore + 2; i++) { // when the second one is asked, the first one has its answer
            server.awaitAsked("read");
        }
        aBookmarkIsBelievedUpTo(200);
    }

    /** Otherwise the changes up to that version would be missed. */
    @Test
    void aBookmarkOfChangesThatAreStillToComeIsNotBelieved() throws Exception {
        watchWith(BRISK);
        server.awaitAsked("watch");
        aBookmarkIsBelievedUpTo(105);
    }

    /** Sends the bookmark 200, and ends the watch. The next watch begins where the bookmark is believed. */
    private void aBookmarkIsBelievedUpTo(long version) throws Exception {
        server.run(() -> server.bookmark(200));
        ledger.awaitThat(probe -> probe.events().contains(new NodeEvent.NodesBookmark(version)));
        server.run(server::endWatches);
        server.awaitAsked("watch");
        assertThat(server.lastWatchedFrom()).isEqualTo(version);
    }

    @Test
    void stopsWhereverItIs() throws Exception {
        String waiting = watchWith(BRISK);
        server.awaitAsked("watch");
        await(vertx.undeploy(waiting));
        server.awaitAsked("end of a watch");
        server.close();
        String failing = watchWith(timings(Duration.ofSeconds(30), LONG, LONG));
        ledger.awaitThat(probe -> !probe.status().problem().isEmpty());
        await(vertx.undeploy(failing));
    }
}
