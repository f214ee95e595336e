package dev.sluice.lease;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.admission.injection.Injector;
import dev.sluice.admission.request.ActivePolicy;
import dev.sluice.admission.request.NamespacePolicy;
import dev.sluice.admission.request.Policies;
import dev.sluice.admission.verdict.Verdict;
import dev.sluice.bus.BusRequestDeadline;
import dev.sluice.bus.DecideReply;
import dev.sluice.bus.DecideRequest;
import dev.sluice.bus.Service;
import dev.sluice.bus.Topic;
import dev.sluice.cluster.ClusterEvent;
import dev.sluice.cluster.NodeEvent;
import dev.sluice.cluster.PodEvent;
import dev.sluice.record.RecordedReviewHead.PodOwner;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A process that was paused does not take a pod for refused only because it could not read that the pod was stored. */
class PausedDecisionsTest {

    private static final Instant NOON = Instant.parse("2026-11-21T12:00:00Z");
    private static final Duration PAUSE = Duration.ofSeconds(6);

    private final AtomicReference<Instant> now = new AtomicReference<>(NOON);
    private final Vertx vertx = Vertx.vertx();

    @BeforeEach
    void start() throws Exception {
        Topic.install(vertx);
        var _ = await(vertx.deployVerticle(new DecisionVerticle(
                ActivePolicy.first(new Policies(Desk.DENY, Map.of()), Injector.NONE),
                Optional.empty(),
                now::get,
                Duration.ofSeconds(30))));
        tell(new NodeEvent.NodesListed(List.of(Desk.node("n0", Map.of(), Desk.machine(8))), 1));
        tell(new NodeEvent.NodesSyncedUpTo(NOON));
        tell(new PodEvent.ListBegun());
        tell(new PodEvent.ListEnded(1, NOON));
    }

    @AfterEach
    void stop() throws Exception {
        var _ = await(vertx.close());
    }

    private static <T> T await(Future<T> future) throws Exception {
        return future.toCompletionStage().toCompletableFuture().get(10, TimeUnit.SECONDS);
    }

    private void tell(ClusterEvent event) {
        Topic.CLUSTER_EVENTS.publish(vertx, event);
    }

    /** Returns true if the pod is promised all devices of the node. */
    private boolean isGiven(String name) throws Exception {
        BusRequestDeadline deadline = BusRequestDeadline.in(Duration.ofSeconds(10));
        DecideRequest request = new DecideRequest(
                "uid of " + name,
                name,
                PodOwner.NONE,
                DecideRequest.ReviewEffect.REAL,
                Desk.pod(8),
                new NamespacePolicy(Desk.DENY, Injector.NONE, "team"),
                deadline);
        return switch (await(Service.DECIDE.ask(vertx, request, deadline))) {
            case DecideReply.Answered(Verdict verdict) -> Desk.isGiven(verdict);
            case DecideReply other -> throw new AssertionError(other);
        };
    }

    /** The watch has not read yet which pods were stored: availability-mode.md F21. */
    @Test
    void afterAPauseAReservationStaysUntilTheWatchHasCaughtUp() throws Exception {
        assertThat(isGiven("first")).isTrue();

        now.set(NOON.plus(PAUSE));
        assertThat(isGiven("second")).as("before the watch has caught up").isFalse();

        tell(new NodeEvent.NodesSyncedUpTo(NOON.plus(PAUSE)));
        tell(new PodEvent.PodsSyncedUpTo(NOON.plus(PAUSE)));
        assertThat(isGiven("third")).as("the first pod was refused").isTrue();
    }
}
