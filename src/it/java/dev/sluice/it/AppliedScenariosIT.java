package dev.sluice.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Pod;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Compares what {@code kubectl apply} prints in the reference scenarios with {@code src/docs/scenarios.md}. */
@AgainstControlPlane
class AppliedScenariosIT {

    private static final Path DEMO = Path.of("conf", "demo");
    private static final YAMLMapper YAML = new YAMLMapper();

    private final StringBuilder transcript = new StringBuilder();
    private int step;

    @Test
    void theReadmeShowsWhatKubectlPrints(Cluster cluster) throws IOException {
        JsonNode tour = YAML.readTree(DEMO.resolve("tour.yaml").toFile());
        for (JsonNode scenario : tour.path("scenarios")) {
            transcript.append(transcript.isEmpty() ? "" : "\n");
            transcript.append("## ").append(scenario.path("title").asText()).append('\n');
            for (JsonNode each : scenario.path("steps")) {
                show(cluster, each.path("cluster").asText());
                step++;
                for (JsonNode file : each.path("pods")) {
                    apply(cluster, DEMO.resolve(file.asText()));
                }
            }
        }

        assertThat(Files.readString(Path.of("src/docs/scenarios.md"))).contains("```\n" + transcript + "```\n");
    }

    private void show(Cluster cluster, String file) throws IOException {
        Path nodes = DEMO.resolve(file);
        var _ = cluster.client().nodes().delete();
        cluster.gateway().awaitNodes(0);
        List<HasMetadata> items =
                cluster.client().load(Files.newInputStream(nodes)).items();
        for (HasMetadata item : items) {
            var _ = cluster.client().nodes().resource((Node) item).create();
        }
        cluster.gateway().awaitNodes(items.size());
        transcript.append(Files.readAllLines(nodes).getFirst()).append('\n');
    }

    /** Of what controllers make, kubectl shows no warning: their pods' annotations tell it. */
    private void apply(Cluster cluster, Path file) throws IOException {
        String namespace = cluster.sibling("-step-" + step);
        Command.Ended applied = cluster.plane()
                .kubectl("--namespace=" + namespace, "apply", "-f", file.toString())
                .run();
        assertThat(applied.code()).as(applied.complaint()).isZero();
        transcript.append("$ kubectl apply -f ").append(file).append('\n');
        transcript.append(applied.complaint()).append(applied.output());

        JsonNode object = YAML.readTree(file.toFile());
        if (!object.path("kind").asText().equals("Pod")) {
            JsonNode spec = object.path("spec");
            int pods = spec.path("replicas").asInt(spec.path("parallelism").asInt(1));
            tellOfPods(cluster, namespace, object.path("metadata").path("name").asText(), pods);
        }
    }

    private void tellOfPods(Cluster cluster, String namespace, String controller, int count) {
        Eventually.holds(
                count + " pods of " + controller,
                () -> pods(cluster, namespace, controller).size() == count);
        Map<String, Integer> fallbacks = new TreeMap<>();
        pods(cluster, namespace, controller).forEach(pod -> fallbacks.merge(Pods.fallback(pod), 1, Integer::sum));
        fallbacks.forEach((fallback, pods) -> transcript
                .append("  # ")
                .append(pods == 1 ? "its pod bears" : "its " + pods + " pods bear")
                .append(" gpu-webhook.k8s.io/fallback: ")
                .append(fallback)
                .append('\n'));
    }

    private static List<Pod> pods(Cluster cluster, String namespace, String controller) {
        return cluster.client().pods().inNamespace(namespace).list().getItems().stream()
                .filter(pod -> pod.getMetadata().getName().startsWith(controller + "-"))
                .toList();
    }
}
