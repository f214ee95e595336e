package dev.sluice.cli.demo;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.cli.explain.Manifest;
import dev.sluice.cluster.quantity.ResourceName;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/** A review as the API server sends it, and the pod in it. */
record DemoReview(String uid, ObjectNode pod, ObjectNode review) {

    /** Creates the review of a new pod. A pod that a controller creates has a generateName, but no name yet. */
    static DemoReview of(Manifest.ManifestPods manifest) {
        ObjectNode pod = JsonNodeFactory.instance.objectNode();
        pod.put("apiVersion", "v1").put("kind", "Pod");
        pod.setAll(manifest.pod().deepCopy());
        if (!manifest.isPod()) {
            pod.withObject("/metadata").put("generateName", manifest.name() + "-");
        }
        String uid = UUID.randomUUID().toString();
        return new DemoReview(uid, pod, review(uid, manifest, pod));
    }

    byte[] body() {
        return review.toString().getBytes(StandardCharsets.UTF_8);
    }

    private static ObjectNode review(String uid, Manifest.ManifestPods manifest, ObjectNode pod) {
        ObjectNode review = JsonNodeFactory.instance.objectNode();
        review.put("apiVersion", "admission.k8s.io/v1").put("kind", "AdmissionReview");
        ObjectNode request = review.putObject("request");
        request.put("uid", uid);
        request.putObject("kind").put("group", "").put("version", "v1").put("kind", "Pod");
        request.putObject("resource").put("group", "").put("version", "v1").put("resource", "pods");
        if (manifest.isPod()) {
            request.put("name", manifest.name());
        }
        String namespace = manifest.namespace();
        request.put("namespace", namespace == null ? "default" : namespace);
        request.put("operation", "CREATE");
        request.putObject("userInfo").put("username", "sluice-demo");
        request.set("object", pod);
        request.put("dryRun", false);
        return review;
    }

    /** Returns the devices that each container of the pod requests, for example {@code train: 1 nvidia.com/gpu}. */
    static List<String> asks(JsonNode pod) {
        List<String> asks = new ArrayList<>();
        for (String list : List.of("containers", "initContainers")) {
            for (JsonNode container : pod.path("spec").path(list)) {
                List<String> devices = new ArrayList<>();
                container.path("resources").path("limits").properties().forEach(limit -> {
                    if (new ResourceName(limit.getKey()).isExtended()) {
                        devices.add(limit.getValue().asText() + " " + limit.getKey());
                    }
                });
                if (!devices.isEmpty()) {
                    asks.add(container.path("name").asText() + ": " + String.join(", ", devices));
                }
            }
        }
        return asks;
    }
}
