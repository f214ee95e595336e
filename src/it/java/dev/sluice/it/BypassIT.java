package dev.sluice.it;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import java.time.Duration;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** GPU pods that exist although no gateway decided about them, as one counts them that decides alone. */
@AgainstControlPlane
class BypassIT {

    private static final String GPU = "nvidia.com/gpu";
    private static final String POLICY = "policy: {mode: availability}\n";
    /** A new holder waits for the pods of the former one, and a busy machine needs more. */
    private static final Duration TAKEOVER = Duration.ofMinutes(2);

    private static final ObjectMapper JSON = new ObjectMapper();

    @Test
    void countsWhatNobodyDecidedAboutOnceAndNothingElse(Cluster cluster) throws Exception {
        String here = cluster.namespace();
        String excluded = here + "-not-asked";
        cluster.newNamespace(excluded, Map.of("gpu-webhook", "disabled"));
        cluster.addNode("worker", Map.of(GPU, "8"));
        try (AvailabilityMode mode = AvailabilityMode.withShortWaits(cluster.plane(), cluster.gateway())) {
            Gateway first = deciding(mode, "bypassed");
            var _ = cluster.create(Pods.asking("decided", GPU)).pod();
            var _ = cluster.create(Pods.asking("aside", GPU), excluded).pod();
            var _ = cluster.create(Pods.plain("without-gpu"), excluded).pod();

            Eventually.holds("the pod of the excluded namespace is counted", () -> counted(first, "not_asked") == 1);
            assertThat(names(first)).containsExactly(excluded + "/aside");
            var _ = cluster.plane()
                    .kubectl("delete", "pod", "decided", "-n", here)
                    .output();
            var _ = cluster.plane()
                    .kubectl("delete", "pods", "--all", "-n", excluded)
                    .output();
            first.stop();

            var _ = cluster.create(Pods.asking("while-down", GPU)).pod();
            stoppedTenMinutesAgo(cluster);
            Gateway second = deciding(mode, "bypassed-second");
            var _ = cluster.create(Pods.asking("decided-too", GPU)).pod();
            Eventually.holds("the pod of the downtime is counted", () -> counted(second, "not_deciding") == 1);
            assertThat(names(second)).containsExactly(here + "/while-down");
            second.stop();

            Gateway third = deciding(mode, "bypassed-third");
            Eventually.stays(Duration.ofSeconds(5), "nothing is counted again", () -> counted(third, "") == 0);
            assertThat(third.log()).doesNotContain("ERROR");
        }
    }

    /** Asked, and sure of all that it compares. */
    private static Gateway deciding(AvailabilityMode mode, String name) throws Exception {
        Gateway gateway = mode.gateway(name, POLICY);
        Eventually.within(
                TAKEOVER, "the gateway decides", () -> gateway.daemon().runs() && gateway.isReady());
        mode.register(gateway.url(), new String(gateway.caBundle(), UTF_8));
        mode.awaitAsked(gateway, "default");
        Eventually.within(
                TAKEOVER,
                "the gateway compares all pods",
                () -> !bypassed(gateway).path("completeSince").isNull());
        return gateway;
    }

    /** By its own word in the lease. */
    private static void stoppedTenMinutesAgo(Cluster cluster) {
        ZonedDateTime then = ZonedDateTime.now(ZoneOffset.UTC).minusMinutes(10);
        var _ = cluster.client()
                .resources(Lease.class)
                .inNamespace(Account.NAMESPACE)
                .withName("gpu-webhook")
                .edit(lease -> {
                    lease.getSpec().setRenewTime(then);
                    return lease;
                });
    }

    private static double counted(Gateway gateway, String cause) throws Exception {
        return gateway.metrics().sum("gpu_webhook_bypassed_pods_total", cause);
    }

    private static List<String> names(Gateway gateway) throws Exception {
        return bypassed(gateway)
                .path("pods")
                .valueStream()
                .map(pod ->
                        pod.path("namespace").asText() + "/" + pod.path("name").asText())
                .toList();
    }

    private static JsonNode bypassed(Gateway gateway) throws Exception {
        return JSON.readTree(gateway.page("/api/v1/bypassed"));
    }
}
