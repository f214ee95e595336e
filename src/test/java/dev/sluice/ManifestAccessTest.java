package dev.sluice;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Probe;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** What {@code k8s/components/secure-management} adds. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ManifestAccessTest {

    private final Manifests script = Manifests.rendered("k8s/overlays/script-certs");
    private final Manifests guarded = Manifests.rendered("k8s/overlays/secure-management");

    @Test
    void addsTheQuestionsAndTheRoleOfThoseWhoRead() {
        List<HasMetadata> added = new ArrayList<>(guarded.objects());
        added.removeAll(script.objects());
        assertThat(added)
                .extracting(each ->
                        each.getKind() + "/" + each.getMetadata().getName().replaceAll("config-.*", "config"))
                .containsExactlyInAnyOrder(
                        "ClusterRole/gpu-webhook-access",
                        "ClusterRoleBinding/gpu-webhook-access",
                        "ClusterRole/gpu-webhook-metrics-reader",
                        "ConfigMap/gpu-webhook-config",
                        "Deployment/gpu-webhook");
    }

    @Test
    void theKubeletProbesByHttps() {
        var gateway = guarded.only(Deployment.class)
                .getSpec()
                .getTemplate()
                .getSpec()
                .getContainers()
                .getFirst();
        assertThat(Stream.of(gateway.getStartupProbe(), gateway.getReadinessProbe(), gateway.getLivenessProbe()))
                .extracting(Probe::getHttpGet)
                .allSatisfy(probe -> assertThat(probe.getScheme()).isEqualTo("HTTPS"));
    }
}
