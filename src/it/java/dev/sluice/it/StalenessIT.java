package dev.sluice.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.it.Passage.Treatment;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What a gateway does that hears nothing of nodes, or of pods, any more while everything else goes on. */
@AgainstControlPlane
class StalenessIT {

    private static final String PODS = "/api/v1/pods";
    private static final String NODES = "/api/v1/nodes";
    private static final String TWO = "nvidia.com/mig-2g.20gb";
    private static final String THREE = "nvidia.com/mig-3g.40gb";
    private static final String CURRENT = "gpu_webhook_watch_current_as_of_timestamp_seconds";

    /** As the documents state it. */
    private static final Duration LIMIT = Duration.ofSeconds(30);

    /** The rest is for a busy machine to notice and to tell. */
    private static final Duration BEYOND_THE_LIMIT = LIMIT.plusSeconds(15);

    /** A dead connection is given up after 20 s at the latest. */
    private static final Duration BACK = Duration.ofSeconds(30);

    private @Nullable AvailabilityMode mode;
    private @Nullable Passage passage;

    @BeforeEach
    void opens(Cluster cluster) throws Exception {
        mode = new AvailabilityMode(cluster.plane(), cluster.gateway());
        passage = new Passage(cluster.plane().server(), cluster.plane().trust());
    }

    @AfterEach
    void closes() {
        Objects.requireNonNull(mode).close();
        Objects.requireNonNull(passage).close();
    }

    private Gateway gateway(String name, String policy) throws Exception {
        return Objects.requireNonNull(mode)
                .gateway(name, policy, Objects.requireNonNull(passage).url())
                .ready();
    }

    private void treat(String path, Treatment treatment) {
        Objects.requireNonNull(passage).treat(path, treatment);
    }

    @Test
    void withoutPodsAvailabilityModeGivesNothingThatAnUnseenPodHasTaken(Cluster cluster) throws Exception {
        cluster.node("worker", Map.of(TWO, "1"));
        Gateway gateway = gateway("without-pods", "policy: {mode: availability, whenExhausted: deny}\n");
        gateway.awaitNodes(1);

        treat(PODS, Treatment.SILENT);
        var _ = cluster.create(Pods.asking("unseen", TWO)).pod();
        cluster.awaitPhase("Running", 1);
        Eventually.within(BEYOND_THE_LIMIT, "it is not ready", () -> !gateway.isReady());
        HttpResponse<String> refused = gateway.review(Pods.asking("late", TWO), cluster.namespace());
        assertThat(refused.statusCode()).as(refused.body()).isEqualTo(503);
        assertThat(refused.headers().firstValue("Retry-After")).isPresent();
        assertThat(refused.body()).contains("what is known of the pods is ").contains(" s old");
        assertThat(gateway.readyz())
                .contains("[-] deciding: what is known of the pods is ")
                .contains("(too old: the limit is 30 s)");

        treat(PODS, Treatment.OPEN);
        Eventually.within(BACK, "it decides again", gateway::isReady);
        HttpResponse<String> decided = gateway.review(Pods.asking("later", TWO), cluster.namespace());
        assertThat(decided.statusCode()).isEqualTo(200);
        assertThat(decided.body()).contains("\"allowed\":false").contains("(0 of 1 on 1 node)");
    }

    @Test
    void withoutNodesAllocatableModeDoesAsItsPolicySays(Cluster cluster) throws Exception {
        cluster.node("worker", Map.of(TWO, "8"));
        Gateway strict = gateway("strict", "policy: {whenStale: retry, namespaces: {easy: {whenStale: decide}}}\n");
        Gateway easy = gateway("easy", "policy: {namespaces: {strict: {whenStale: retry}}}\n");
        Gateway frozen = Objects.requireNonNull(mode)
                .gateway(
                        "frozen",
                        "policy: {whenStale: retry}\n",
                        cluster.plane().server())
                .ready();

        treat(NODES, Treatment.SILENT);
        frozen.daemon().freeze();
        long beyond = System.nanoTime() + LIMIT.plusSeconds(1).toNanos();
        cluster.offer("worker", Map.of(TWO, "0", THREE, "4"));
        try (ExecutorService pool = Executors.newVirtualThreadPerTaskExecutor()) {
            CompletableFuture<HttpResponse<String>> waiting =
                    CompletableFuture.supplyAsync(() -> review(frozen, "waits", cluster.namespace()), pool);
            Eventually.within(BEYOND_THE_LIMIT, "it is not ready", () -> !strict.isReady());
            // The last proof of the frozen one may be seconds younger than that of the other.
            Eventually.within(BEYOND_THE_LIMIT, "it stood still beyond the limit", () -> System.nanoTime() > beyond);
            frozen.daemon().thaw();
            assertThatTheTruthIsTold(waiting.get(30, TimeUnit.SECONDS));
        }
        assertThat(review(strict, "pod", "any").statusCode()).isEqualTo(503);
        assertThat(review(strict, "pod", "any").body()).contains("what is known of the nodes is ");
        assertThat(strict.readyz()).contains("[-] nodes current").contains("(too old: the limit is 30 s)");
        assertThat(review(strict, "pod", "easy").body()).as("by what was known").contains("\"allowed\":true");
        Eventually.holds("the other one says so", () -> easy.readyz().contains("(too old: the limit is 30 s)"));
        assertThat(easy.isReady()).isTrue();
        assertThat(review(easy, "pod", "any").statusCode()).isEqualTo(200);
        assertThat(review(easy, "pod", "strict").statusCode()).isEqualTo(503);

        treat(NODES, Treatment.OPEN);
        Eventually.within(BACK, "it decides again", strict::isReady);
        Eventually.within(
                BACK,
                "by what is offered now",
                () -> review(strict, "pod", "any").body().contains("no node offers " + TWO));
        Eventually.within(BACK, "the frozen one decides again", frozen::isReady);
    }

    /** Either nothing is decided yet, or by what is offered now. */
    private static void assertThatTheTruthIsTold(HttpResponse<String> answer) {
        if (answer.statusCode() != 503) {
            assertThat(answer.body()).contains("no node offers " + TWO);
        }
    }

    private static HttpResponse<String> review(Gateway gateway, String pod, String namespace) {
        try {
            return gateway.review(Pods.asking(pod, TWO), namespace);
        } catch (Exception failed) {
            throw new IllegalStateException(failed);
        }
    }

    @Test
    void inAQuietClusterTheProofStaysYoungAndNothingIsListedAgain(Cluster cluster) throws Exception {
        cluster.node("worker", Map.of(TWO, "8"));
        Gateway gateway = gateway("quiet", "policy: {whenStale: retry}\n");
        gateway.awaitNodes(1);
        double oldest = 0;
        long end = System.nanoTime() + Duration.ofSeconds(40).toNanos();
        while (System.nanoTime() < end) {
            MetricsPage page = gateway.metrics();
            double now = System.currentTimeMillis() / 1000.0;
            oldest = Math.max(oldest, now - page.sum(CURRENT, "kind=\"pods\""));
            oldest = Math.max(oldest, now - page.sum(CURRENT, "kind=\"nodes\""));
            // Reading the metrics without a pause would keep two processors busy.
            Pause.millis(100);
        }
        assertThat(oldest).as("the age of the oldest proof, in seconds").isLessThan(20);
        assertThat(gateway.metrics().sum("gpu_webhook_watch_relists_total")).isZero();
        assertThat(gateway.metrics().sum("gpu_webhook_watch_failures_total")).isZero();
        System.out.println("StalenessIT: in a quiet cluster the oldest proof was " + oldest + " s old");
    }
}
