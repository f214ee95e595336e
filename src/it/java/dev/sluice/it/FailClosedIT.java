package dev.sluice.it;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.admissionregistration.v1.MutatingWebhook;
import io.fabric8.kubernetes.api.model.admissionregistration.v1.MutatingWebhookConfiguration;
import java.io.ByteArrayInputStream;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The registration of {@code k8s/overlays/fail-closed}: what is refused while no gateway answers, and what is not. */
@AgainstControlPlane
class FailClosedIT {

    private static final String MIG = "nvidia.com/mig-2g.20gb";
    private static final String GPU = "nvidia.com/gpu";
    private static final String REFUSED = "failed calling webhook \"gpu-allocation.k8s.io\"";
    /** As the component's comment has it. */
    private static final String BREAK_GLASS =
            "[{\"op\":\"replace\",\"path\":\"/webhooks/0/failurePolicy\",\"value\":\"Ignore\"}]";

    @BeforeEach
    void failsClosed(Cluster cluster) {
        MutatingWebhook shipped = webhook(cluster, "k8s/overlays/fail-closed");
        assertThat(shipped.getFailurePolicy()).isEqualTo("Fail");
        edit(cluster, shipped);
    }

    @AfterEach
    void failsOpenAgain(Cluster cluster) {
        scale(cluster, 0);
        edit(cluster, webhook(cluster, "k8s/base"));
        if (!cluster.gateway().daemon().isAlive()) {
            cluster.gateway().start();
        }
    }

    @Test
    void withoutAGatewayOnlyGpuPodsAreRefused(Cluster cluster) throws Exception {
        cluster.node("worker", Map.of(GPU, "4"));
        String disabled = cluster.namespace() + "-disabled";
        cluster.newNamespace(disabled, Map.of("gpu-webhook", "disabled"));
        cluster.awaitAccount("kube-system");
        cluster.gateway().kill();

        Eventually.holds(
                "a GPU pod is refused",
                () -> cluster.create(Pods.asking("gpu", MIG)).message().contains(REFUSED));
        assertThat(cluster.create(Pods.plain("plain")).status()).isEqualTo(201);
        for (String namespace : List.of("kube-system", disabled)) {
            assertThat(cluster.dryRun(Pods.asking("excluded", MIG), namespace).status())
                    .as(namespace)
                    .isEqualTo(201);
        }
        scale(cluster, 1);
        Eventually.holds(
                "a pod of the gateway itself is created",
                () -> !cluster.client()
                        .pods()
                        .inNamespace(Account.NAMESPACE)
                        .list()
                        .getItems()
                        .isEmpty());

        cluster.gateway().start();
        cluster.awaitDecision(Pods.asking("gpu", MIG), GPU, Duration.ofSeconds(10));
    }

    @Test
    void theGlassCanBeBrokenWithoutAGateway(Cluster cluster) throws Exception {
        cluster.gateway().kill();
        Eventually.holds(
                "a GPU pod is refused",
                () -> cluster.dryRun(Pods.asking("gpu", MIG)).message().contains(REFUSED));
        var _ = cluster.plane()
                .kubectl("patch", "mutatingwebhookconfiguration", Registration.NAME, "--type=json", "-p", BREAK_GLASS)
                .output();
        Eventually.holds(
                "a GPU pod passes",
                () -> cluster.dryRun(Pods.asking("gpu", MIG)).status() == 201);
    }

    /** While the lease changes hands nobody decides, and so no GPU pod is created. */
    @Test
    void inAvailabilityModeGpuPodsAreRefusedUntilAHolderDecides(Cluster cluster) throws Exception {
        cluster.node("worker", Map.of(GPU, "4"));
        try (AvailabilityMode mode = AvailabilityMode.withShortWaits(cluster.plane(), cluster.gateway())) {
            Gateway former =
                    mode.gateway("former", "policy: {mode: availability}\n").ready();
            mode.register(former.url(), new String(former.caBundle(), UTF_8));
            mode.awaitAsked(former, cluster.namespace());
            former.stop();
            Gateway next = mode.gateway("next", "policy: {mode: availability}\n");
            mode.register(next.url(), new String(next.caBundle(), UTF_8));
            Eventually.holds("the next one answers that it is not ready", () -> !next.isReady());
            Eventually.holds(
                    "the next one is asked, and does not decide",
                    () -> cluster.create(Pods.asking("early", GPU)).message().contains(REFUSED));
            assertThat(next.isReady()).isFalse();
            Eventually.within(Duration.ofSeconds(90), "it decides", next::isReady);
            Eventually.holds(
                    "GPU pods are created again",
                    () -> cluster.dryRun(Pods.asking("late", GPU)).status() == 201);
        }
    }

    private static void scale(Cluster cluster, int replicas) {
        var _ = cluster.client()
                .apps()
                .deployments()
                .inNamespace(Account.NAMESPACE)
                .withName("gpu-webhook")
                .scale(replicas);
    }

    private static MutatingWebhook webhook(Cluster cluster, String directory) {
        String rendered = cluster.plane().kubectl("kustomize", directory).output();
        return cluster.client().load(new ByteArrayInputStream(rendered.getBytes(UTF_8))).items().stream()
                .filter(MutatingWebhookConfiguration.class::isInstance)
                .map(MutatingWebhookConfiguration.class::cast)
                .findFirst()
                .orElseThrow()
                .getWebhooks()
                .getFirst();
    }

    /** Everything but the address. */
    private static void edit(Cluster cluster, MutatingWebhook shipped) {
        var _ = cluster.client()
                .resources(MutatingWebhookConfiguration.class)
                .withName(Registration.NAME)
                .edit(found -> {
                    shipped.setClientConfig(found.getWebhooks().getFirst().getClientConfig());
                    found.setWebhooks(List.of(shipped));
                    return found;
                });
    }
}
