package dev.sluice.lease;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import dev.sluice.admission.request.ActivePolicy;
import dev.sluice.bus.ClusterUsageReply;
import dev.sluice.bus.ClusterUsageReply.UsageQuestion;
import dev.sluice.bus.FreshnessMessage;
import dev.sluice.bus.Service;
import dev.sluice.bus.Topic;
import dev.sluice.bus.WatchStatusMessage;
import dev.sluice.cluster.ClusterEvent;
import dev.sluice.cluster.Node;
import dev.sluice.cluster.NodeEvent;
import dev.sluice.cluster.Pod;
import dev.sluice.cluster.PodEvent;
import dev.sluice.cluster.PodId;
import dev.sluice.cluster.quantity.Amounts;
import dev.sluice.cluster.quantity.ResourceName;
import dev.sluice.ledger.LedgerNodeUsage;
import dev.sluice.ledger.LedgerStatistics;
import dev.sluice.log.LogLines;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** A fault at one event is visible, and affects no other event. */
class DecisionVerticleTest {

    private static final Instant NOON = Instant.parse("2026-11-21T12:00:00Z");

    private final Vertx vertx = Vertx.vertx();
    private final Logger log = (Logger) LoggerFactory.getLogger(DecisionVerticle.class);
    private final LogLines lines = new LogLines();
    private final BlockingQueue<Topic.RelistRequested> doubts = new LinkedBlockingQueue<>();
    private final BlockingQueue<LedgerStatistics> standings = new LinkedBlockingQueue<>();

    @BeforeEach
    void start() throws Exception {
        log.addAppender(lines);
        Topic.install(vertx);
        Topic.RELIST_REQUESTS.subscribe(vertx, doubts::add);
        Topic.LEDGER_STATISTICS.subscribe(vertx, standings::add);
        var _ = await(vertx.deployVerticle(
                new DecisionVerticle(ActivePolicy.DEFAULT, Optional.empty(), () -> NOON, FreshnessMessage.NO_LIMIT)));
        Amounts gpus = Amounts.of(ResourceName.NVIDIA_GPU, 8);
        tell(new NodeEvent.NodesListed(
                List.of(new Node("n1", Map.of(), List.of(), /* unschedulable= */ false, gpus, gpus, 1)), 1));
    }

    @AfterEach
    void stop() throws Exception {
        log.detachAppender(lines);
        var _ = await(vertx.close());
    }

    private static <T> T await(Future<T> future) throws Exception {
        return future.toCompletionStage().toCompletableFuture().get(10, TimeUnit.SECONDS);
    }

    private void tell(ClusterEvent event) {
        Topic.CLUSTER_EVENTS.publish(vertx, event);
    }

    private static Pod pod(String name, long version) {
        Amounts one = Amounts.of(ResourceName.NVIDIA_GPU, 1);
        return new Pod(PodId.of(name), name, new Pod.Place.Bound("n1"), one, "secret", version);
    }

    /** The ledger cannot count a pod without a namespace, which no decoder makes. */
    private static Pod poison(long version) {
        return pod("poison", version);
    }

    private ClusterUsageReply usage() throws Exception {
        return await(Service.USAGE.ask(vertx, new UsageQuestion()));
    }

    /** An answer may come between two turns in which the verticle counts what it was told before. */
    private void awaitAllocated(long expected) throws Exception {
        ClusterUsageReply usage = usage();
        for (int i = 0; i < 10_000 && allocated(usage) != expected; i++) {
            usage = usage();
        }
        assertThat(allocated(usage)).isEqualTo(expected);
    }

    private static long allocated(ClusterUsageReply usage) {
        return usage.byNode()
                .getOrDefault("n1", LedgerNodeUsage.NONE)
                .allocated()
                .get(ResourceName.NVIDIA_GPU);
    }

    @Test
    void onePodThatCannotBeCountedTakesNoOtherOfItsListWithIt() throws Exception {
        tell(new PodEvent.ListBegun());
        tell(new PodEvent.PodsPage(List.of(pod("team/a", 2), poison(3), pod("team/b", 4))));
        tell(new PodEvent.ListEnded(5, NOON));

        awaitAllocated(2);
        LedgerStatistics standing = standings.poll(10, TimeUnit.SECONDS);
        assertThat(standing).isNotNull();
        assertThat(standing.auditDifference().pods())
                .as("found missing by the audit")
                .isEqualTo(1);
    }

    @Test
    void whoAsksWaitsForNoWholePage() throws Exception {
        int listed = 200_000;
        tell(new PodEvent.ListBegun());
        tell(new PodEvent.ListEnded(1, NOON));
        tell(new PodEvent.ListBegun());
        tell(new PodEvent.PodsPage(
                IntStream.range(0, listed).mapToObj(i -> pod("team/p" + i, 2)).toList()));

        ClusterUsageReply usage = usage();
        assertThat(usage.podsKnown()).isTrue();
        assertThat(allocated(usage)).isLessThan(listed);
        awaitAllocated(listed);
    }

    /** So many pods that the end of their list takes several turns. */
    @Test
    void whatComesWhileAListEndsIsCountedAfterIt() throws Exception {
        int listed = 100_000;
        tell(new PodEvent.ListBegun());
        tell(new PodEvent.PodsPage(
                IntStream.range(0, listed).mapToObj(i -> pod("team/p" + i, 2)).toList()));
        tell(new PodEvent.ListEnded(3, NOON));
        tell(new PodEvent.PodRemoved(PodId.of("team/p7"), "team/p7", "", 4));
        tell(new PodEvent.ListBegun());
        tell(new PodEvent.PodsPage(List.of(pod("team/a", 5))));
        tell(new PodEvent.ListEnded(6, NOON));
        tell(new PodEvent.PodSeen(pod("team/b", 7)));

        awaitAllocated(2);
        assertThat(doubts).isEmpty();
    }

    @Test
    void anEventThatCannotBeCountedIsNamedAndRequestsARelist() throws Exception {
        tell(new PodEvent.ListEnded(1, NOON));
        tell(new PodEvent.PodSeen(poison(2)));
        tell(new PodEvent.PodSeen(pod("team/a", 3)));

        awaitAllocated(1);
        assertThat(doubts.poll(10, TimeUnit.SECONDS)).isNotNull();
        assertThat(lines.list).singleElement().satisfies(line -> {
            assertThat(line.getLevel()).isEqualTo(Level.ERROR);
            assertThat(line.getThrowableProxy()).isNotNull();
            assertThat(line.getKeyValuePairs()).singleElement().hasToString("object=\"pod poison\"");
        });
    }

    /** Whoever reads the snapshot may believe that it is as current as the last proof says. */
    @Test
    void aProofThatTheDataAreCurrentFollowsTheSnapshotThatItIsAbout() throws Exception {
        int many = 300;
        AtomicInteger known = new AtomicInteger();
        Promise<List<String>> heard = Promise.promise();
        List<String> early = new ArrayList<>();
        Promise<?> subscribed = Promise.promise();
        vertx.runOnContext(_ -> {
            Topic.SNAPSHOTS.subscribe(vertx, snapshot -> known.set(snapshot.size()));
            Topic.FRESHNESS.subscribe(vertx, freshness -> {
                Duration proved = Duration.between(NOON, freshness.of(WatchStatusMessage.ObjectKind.NODES));
                if (known.get() < proved.toSeconds()) {
                    early.add("the proof of " + proved + " with " + known + " nodes");
                }
                if (proved.toSeconds() == many) {
                    heard.tryComplete(early);
                }
            });
            subscribed.complete();
        });
        var _ = await(subscribed.future());

        for (int i = 2; i <= many; i++) {
            Node node =
                    new Node("n" + i, Map.of(), List.of(), /* unschedulable= */ false, Amounts.NONE, Amounts.NONE, i);
            tell(new NodeEvent.NodeSeen(node));
            tell(new NodeEvent.NodesSyncedUpTo(NOON.plusSeconds(i)));
        }

        assertThat(await(heard.future())).isEmpty();
    }
}
