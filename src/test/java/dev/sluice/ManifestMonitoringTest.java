package dev.sluice;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What the component of monitoring adds to an overlay, and nothing else. */
class ManifestMonitoringTest {

    private final Manifests plain = Manifests.rendered("k8s/overlays/self-managed");
    private final Manifests monitored = Manifests.rendered("k8s/overlays/monitoring");

    @Test
    void leavesTheOverlayAsItIs() {
        List<String> added = new ArrayList<>(monitored.names());
        added.removeAll(plain.names());
        assertThat(added)
                .containsExactlyInAnyOrder(
                        "PodMonitor/gpu-webhook", "PrometheusRule/gpu-webhook", "ConfigMap/gpu-webhook-dashboard");
        assertThat(monitored.objects()).containsAll(plain.objects());
    }

    @Test
    void scrapesTheManagementPortOfEachPodUnderTheJobThatTheRulesName() {
        GenericKubernetesResource monitor = monitored.all(GenericKubernetesResource.class).stream()
                .filter(each -> each.getKind().equals("PodMonitor"))
                .findFirst()
                .orElseThrow();
        var pod = plain.only(Deployment.class).getSpec().getTemplate();
        String label = monitor.get("spec", "jobLabel");
        String port = monitor.get("spec", "podMetricsEndpoints", 0, "port");

        assertThat(pod.getMetadata().getLabels()).containsEntry(label, "gpu-webhook");
        assertThat(pod.getMetadata().getLabels())
                .containsEntry("app", monitor.get("spec", "selector", "matchLabels", "app"));
        assertThat(pod.getSpec().getContainers().getFirst().getPorts())
                .filteredOn(each -> each.getName().equals(port))
                .singleElement()
                .satisfies(each -> assertThat(each.getContainerPort()).isEqualTo(9090));
    }
}
