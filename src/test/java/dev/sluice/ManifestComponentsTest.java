package dev.sluice;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.VolumeMount;
import io.fabric8.kubernetes.api.model.admissionregistration.v1.MutatingWebhook;
import io.fabric8.kubernetes.api.model.admissionregistration.v1.MutatingWebhookConfiguration;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** What the components besides availability mode change, and nothing else. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ManifestComponentsTest {

    private final Manifests script = Manifests.rendered("k8s/overlays/script-certs");
    private final Manifests closed = Manifests.rendered("k8s/overlays/fail-closed");
    private final Manifests hardened = Manifests.rendered("k8s/overlays/hardened");
    private final Manifests availability = Manifests.rendered("k8s/overlays/availability");
    private final Manifests capacity = Manifests.rendered("src/it/manifests");

    @Test
    void failClosedRefusesWhatNobodyDecided() {
        MutatingWebhook webhook = webhook(closed);
        assertThat(webhook.getFailurePolicy()).isEqualTo("Fail");
        assertThat(webhook.getTimeoutSeconds()).isEqualTo(5);
        assertThat(closed.only(Deployment.class).getSpec().getReplicas()).isEqualTo(3);
    }

    /** Or the cluster could not start without the gateway, nor the gateway without itself. */
    @Test
    void failClosedExcludesWhatTheBaseExcludes() {
        assertThat(webhook(closed).getNamespaceSelector())
                .isEqualTo(webhook(script).getNamespaceSelector());
        assertThat(webhook(closed).getMatchConditions())
                .isEqualTo(webhook(script).getMatchConditions());
    }

    @Test
    void failClosedLeavesEverythingElseAsItIs() {
        List<String> changed = List.of("MutatingWebhookConfiguration", "Deployment");
        assertThat(others(closed, changed)).isEqualTo(others(script, changed));
    }

    @Test
    void capacityAndClaimsAddTheRightsToListPodsAndClaimsAndNothingElse() {
        List<HasMetadata> added = new ArrayList<>(capacity.objects());
        added.removeAll(script.objects());
        assertThat(added)
                .extracting(each -> each.getKind() + "/" + each.getMetadata().getName())
                .containsExactlyInAnyOrder(
                        "ClusterRole/gpu-webhook-pods",
                        "ClusterRoleBinding/gpu-webhook-pods",
                        "ClusterRole/gpu-webhook-claims",
                        "ClusterRoleBinding/gpu-webhook-claims");
    }

    @Test
    void hardenedAsksForTheCertificateThatItMounts() throws Exception {
        String policy = Files.readString(Path.of("k8s/components/client-certificates/client-certificates.yaml"));
        assertThat(hardened.configuration().getData()).contains(Map.entry("client-certificates.yaml", policy));
        assertThat(policy)
                .contains("clientCa: /etc/webhook/client-ca/ca.crt")
                .contains("clientNames: [gpu-webhook-caller]");
        Container gateway = pod(hardened).getContainers().getFirst();
        assertThat(gateway.getVolumeMounts())
                .filteredOn(mount -> mount.getName().equals("client-ca"))
                .singleElement()
                .extracting(VolumeMount::getMountPath, VolumeMount::getReadOnly)
                .containsExactly("/etc/webhook/client-ca", true);
        assertThat(pod(hardened).getVolumes())
                .filteredOn(volume -> volume.getName().equals("client-ca"))
                .singleElement()
                .satisfies(volume -> assertThat(volume.getConfigMap().getName()).isEqualTo("gpu-webhook-client-ca"));
    }

    @Test
    void hardenedDecidesLikeAvailabilityMode() {
        assertThat(hardened.configuration().getData())
                .containsAllEntriesOf(Map.of(
                        "availability.yaml",
                        availability.configuration().getData().getOrDefault("availability.yaml", "missing")));
        assertThat(hardened.only(Deployment.class).getSpec().getStrategy())
                .isEqualTo(availability.only(Deployment.class).getSpec().getStrategy());
        assertThat(webhook(hardened).getSideEffects()).isEqualTo("NoneOnDryRun");
        assertThat(webhook(hardened).getFailurePolicy()).isEqualTo("Fail");
    }

    private static PodSpec pod(Manifests manifests) {
        return manifests.only(Deployment.class).getSpec().getTemplate().getSpec();
    }

    private static MutatingWebhook webhook(Manifests manifests) {
        return manifests.only(MutatingWebhookConfiguration.class).getWebhooks().getFirst();
    }

    private static List<HasMetadata> others(Manifests manifests, List<String> changed) {
        return manifests.objects().stream()
                .filter(each -> !changed.contains(each.getKind()))
                .toList();
    }
}
