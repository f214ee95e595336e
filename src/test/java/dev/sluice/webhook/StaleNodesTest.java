package dev.sluice.webhook;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.admission.injection.Injector;
import dev.sluice.admission.request.ActivePolicy;
import dev.sluice.admission.request.NamespaceGlob;
import dev.sluice.admission.request.Policies;
import dev.sluice.admission.request.Policy;
import dev.sluice.admission.request.PolicySwitches;
import dev.sluice.admission.verdict.Verdict;
import dev.sluice.bus.BusRequestDeadline;
import dev.sluice.bus.FreshnessMessage;
import dev.sluice.kube.decode.AdmissionReview;
import dev.sluice.kube.decode.ReviewDecoder;
import dev.sluice.ledger.placement.PlacementNodes;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Allocatable mode: whether old nodes decide is the policy's to say, namespace by namespace. */
class StaleNodesTest {

    private static final Instant NOON = Instant.parse("2026-11-21T12:00:00Z");

    private final Vertx vertx = Vertx.vertx();
    private final AtomicReference<Instant> now = new AtomicReference<>(NOON);
    private final GatewayDecisionRouter decisions = new GatewayDecisionRouter(vertx, now::get);

    @AfterEach
    void stop() throws Exception {
        var _ = vertx.close().toCompletionStage().toCompletableFuture().get(10, TimeUnit.SECONDS);
    }

    private static Policy policy(Policy.WhenStale whenStale) {
        return PolicySwitches.with(Policy.DEFAULT, Policy.WhenClusterHasNoGpu.KEEP, whenStale);
    }

    private Future<Verdict> decide(String review, String namespace) throws Exception {
        Policies policies = new Policies(
                policy(Policy.WhenStale.RETRY), Map.of(new NamespaceGlob("easy"), policy(Policy.WhenStale.DECIDE)));
        AdmissionReview read =
                new ReviewDecoder().decode(review.replace("team-a", namespace).getBytes(StandardCharsets.UTF_8));
        GatewayDecisionInputs moment = new GatewayDecisionInputs(
                PlacementNodes.snapshotOf(List.of()),
                new FreshnessMessage(NOON, Instant.MIN, Duration.ofSeconds(30)),
                ActivePolicy.first(policies, Injector.NONE),
                BusRequestDeadline.in(Duration.ofSeconds(10)));
        return decisions.decide(read, moment.policy().forNamespace(read.namespace()), moment);
    }

    private static String review(String resource) {
        return """
                {"apiVersion":"admission.k8s.io/v1","kind":"AdmissionReview","request":{"uid":"1","operation":"CREATE",
                "kind":{"group":"","version":"v1","kind":"Pod"},"resource":{"group":"","version":"v1","resource":"pods"},
                "namespace":"team-a","object":{"metadata":{"name":"p"},"spec":{"containers":[{"name":"c","resources":
                {"limits":{"%s":"1"},"requests":{"%s":"1"}}}]}}}}""".formatted(resource, resource);
    }

    @Test
    void byYoungNodesEverybodyIsDecided() throws Exception {
        now.set(NOON.plusSeconds(30));
        assertThat(decide(review("nvidia.com/gpu"), "team-a").succeeded()).isTrue();
    }

    @Test
    void byOldNodesOnlyThoseThatSaySo() throws Exception {
        now.set(NOON.plusSeconds(31));
        assertThat(decide(review("nvidia.com/gpu"), "team-a").cause())
                .isInstanceOf(GatewayUnavailableException.class)
                .hasMessageContaining("what is known of the nodes is 31 s old");
        assertThat(decide(review("nvidia.com/gpu"), "easy").succeeded()).isTrue();
    }

    @Test
    void aPodWithoutAGpuNeedsNoNodes() throws Exception {
        now.set(NOON.plusSeconds(31));
        assertThat(decide(review("cpu"), "team-a").succeeded()).isTrue();
    }
}
