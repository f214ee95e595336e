package dev.sluice.cli.explain;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.cluster.GpuVendor;
import dev.sluice.cluster.PodContainerKind;
import dev.sluice.cluster.PodRequests;
import dev.sluice.cluster.quantity.ExactAmounts;
import dev.sluice.cluster.quantity.Quantity;
import dev.sluice.cluster.quantity.ResourceName;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Converts a manifest to the pod that the API server would send to a webhook, with the fields that decisions read.
 * First, missing requests of containers are filled from their limits. Then the pod-level requests are filled from the
 * containers (pkg/apis/core/v1 {@code SetDefaults_Pod} and {@code defaultPodRequests}). Like the API server, this class
 * always writes {@code metadata} and {@code resources}, but no empty maps.
 */
final class ManifestPod {

    /** Stands for the missing name of a container. The template of a Knative Service may omit it. */
    private static final String UNNAMED = "unnamed";

    private ManifestPod() {}

    static ObjectNode of(JsonNode written) {
        ObjectNode pod = written.deepCopy();
        if (isMissing(pod.get("metadata"))) {
            pod.set("metadata", JsonNodeFactory.instance.objectNode());
        }
        if (pod.get("metadata") instanceof ObjectNode metadata) {
            dropIfEmpty(metadata, "annotations");
        }
        for (String list : List.of("containers", "initContainers")) {
            for (JsonNode container : pod.path("spec").path(list)) {
                if (container instanceof ObjectNode object) {
                    complete(object);
                }
            }
        }
        if (pod.path("spec").path("resources") instanceof ObjectNode resources) {
            completePodLevel(resources, pod.path("spec"));
        }
        return pod;
    }

    /** Fills missing pod-level requests. A pod without pod-level limits is not changed. */
    private static void completePodLevel(ObjectNode resources, JsonNode spec) {
        if (!(resources.get("limits") instanceof ObjectNode limits) || limits.isEmpty()) {
            return;
        }
        ExactAmounts ofContainers = ofContainers(spec);
        ObjectNode requests =
                resources.get("requests") instanceof ObjectNode given ? given : resources.putObject("requests");
        putIfMissing(requests, ResourceName.CPU, ofContainers, "m");
        putIfMissing(requests, ResourceName.MEMORY, ofContainers, "");
        limits.properties().forEach(limit -> {
            ResourceName name = new ResourceName(limit.getKey());
            // The API server refuses GPUs in pod-level resources. They are copied here nevertheless, so that the
            // explanation can name them.
            if (!requests.has(limit.getKey()) && (PodRequests.canBePodLevel(name) || GpuVendor.isGpu(name))) {
                requests.set(limit.getKey(), limit.getValue());
            }
        });
        dropIfEmpty(resources, "requests");
    }

    private static void putIfMissing(ObjectNode requests, ResourceName name, ExactAmounts amounts, String unit) {
        if (amounts.has(name) && !requests.has(name.value())) {
            requests.put(name.value(), amounts.rounded().get(name) + unit);
        }
    }

    /** Returns the sum of the containers' requests. */
    private static ExactAmounts ofContainers(JsonNode spec) {
        PodRequests<ExactAmounts> sum = PodRequests.exact();
        for (JsonNode container : spec.path("containers")) {
            sum.add(PodContainerKind.MAIN, requestsOf(container));
        }
        for (JsonNode container : spec.path("initContainers")) {
            boolean isSidecar = container.path("restartPolicy").asText().equals("Always");
            sum.add(isSidecar ? PodContainerKind.SIDECAR : PodContainerKind.INIT, requestsOf(container));
        }
        return sum.total(ExactAmounts.NONE, ExactAmounts.NONE);
    }

    private static ExactAmounts requestsOf(JsonNode container) {
        Map<ResourceName, Quantity> requests = new HashMap<>();
        container
                .path("resources")
                .path("requests")
                .properties()
                .forEach(request -> Quantity.parse(request.getValue().asText())
                        .ifPresent(quantity -> requests.put(new ResourceName(request.getKey()), quantity)));
        return ExactAmounts.of(requests);
    }

    private static void complete(ObjectNode container) {
        if (isMissing(container.get("name"))) {
            container.put("name", UNNAMED);
        }
        if (isMissing(container.get("resources"))) {
            container.set("resources", JsonNodeFactory.instance.objectNode());
        }
        if (!(container.get("resources") instanceof ObjectNode resources)) {
            return;
        }
        dropIfEmpty(resources, "limits");
        dropIfEmpty(resources, "requests");
        if (resources.get("limits") instanceof ObjectNode limits) {
            if (isMissing(resources.get("requests"))) {
                resources.set("requests", JsonNodeFactory.instance.objectNode());
            }
            if (resources.get("requests") instanceof ObjectNode requests) {
                limits.properties().forEach(limit -> {
                    if (!requests.has(limit.getKey())) {
                        requests.set(limit.getKey(), limit.getValue());
                    }
                });
            }
        }
    }

    private static void dropIfEmpty(ObjectNode object, String field) {
        JsonNode value = object.get(field);
        if (value != null && (value.isNull() || (value.isObject() && value.isEmpty()))) {
            object.remove(field);
        }
    }

    private static boolean isMissing(@Nullable JsonNode value) {
        return value == null || value.isNull();
    }
}
