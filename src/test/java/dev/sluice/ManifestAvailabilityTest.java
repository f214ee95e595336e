package dev.sluice;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.IntOrString;
import io.fabric8.kubernetes.api.model.admissionregistration.v1.MutatingWebhookConfiguration;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.policy.v1.PodDisruptionBudget;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** What availability mode changes in the manifests, and nothing else. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ManifestAvailabilityTest {

    private static final List<String> CHANGED =
            List.of("Role", "RoleBinding", "ConfigMap", "Deployment", "MutatingWebhookConfiguration");

    private final Manifests script = Manifests.rendered("k8s/overlays/script-certs");
    private final Manifests availability = Manifests.rendered("k8s/overlays/availability");

    @Test
    void doesNotReserveForADryRun() {
        assertThat(availability.only(MutatingWebhookConfiguration.class).getWebhooks())
                .singleElement()
                .satisfies(webhook -> assertThat(webhook.getSideEffects()).isEqualTo("NoneOnDryRun"));
    }

    @Test
    void switchesTheMode() throws Exception {
        String policy = Files.readString(Path.of("k8s/components/availability/gateway.yaml"));
        assertThat(policy).contains("mode: availability");
        assertThat(availability.only(ConfigMap.class).getData()).containsExactly(Map.entry("gateway.yaml", policy));
    }

    /** Rounded down, so that the one replica that is ready is never ended: RolloutIT rolls it out. */
    @Test
    void keepsTheHolderThroughARolloutUntilAnotherOneIsReady() {
        var rolling =
                availability.only(Deployment.class).getSpec().getStrategy().getRollingUpdate();
        assertThat(rolling.getMaxUnavailable()).isEqualTo(new IntOrString("99%"));
        assertThat(rolling.getMaxSurge()).isEqualTo(new IntOrString(1));
    }

    /** One replica at most is ready, so no budget could let it be evicted. */
    @Test
    void letsADrainTakeTheHolder() {
        assertThat(availability.all(PodDisruptionBudget.class)).isEmpty();
    }

    @Test
    void leavesEverythingElseAsItIs() {
        assertThat(others(availability)).isEqualTo(others(script));
    }

    private static List<HasMetadata> others(Manifests manifests) {
        return manifests.objects().stream()
                .filter(each -> !CHANGED.contains(each.getKind()) && !(each instanceof PodDisruptionBudget))
                .filter(each -> !each.getMetadata().getName().equals("gpu-webhook-pods"))
                .toList();
    }
}
