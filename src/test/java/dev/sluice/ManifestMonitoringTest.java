package dev.sluice;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

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

    /** The head of the component shows an overlay's words for that. */
    @Test
    void anOverlayNamesThePlaceOfTheRunbookOnce(@TempDir Path directory) throws Exception {
        String head = Files.readString(Path.of("k8s/monitoring/kustomization.yaml"));
        String patch = head.substring(
                        head.indexOf("#   patches:", head.indexOf("runbook_url")), head.indexOf("# Prometheus has"))
                .lines()
                .map(line -> line.replaceFirst("^#( {3})?", ""))
                .collect(Collectors.joining("\n"));
        Path root = directory.toRealPath();
        Path overlay = root.relativize(Path.of("k8s/overlays/monitoring").toRealPath());
        Files.writeString(root.resolve("kustomization.yaml"), "resources: [" + overlay + "]\n" + patch);

        assertThat(runbookUrls(monitored))
                .isNotEmpty()
                .allMatch(url -> url.startsWith("src/docs/runbook.md#gpuwebhook"));
        assertThat(runbookUrls(Manifests.rendered(root.toString())))
                .containsExactlyElementsOf(runbookUrls(monitored).stream()
                        .map(url -> "https://git.example.com/sluice/" + url)
                        .toList());
    }

    private static List<String> runbookUrls(Manifests manifests) {
        JsonNode rules = new ObjectMapper()
                .valueToTree(manifests.all(GenericKubernetesResource.class).stream()
                        .filter(each -> each.getKind().equals("PrometheusRule"))
                        .findFirst()
                        .orElseThrow());
        return rules.findValuesAsText("runbook_url");
    }
}
