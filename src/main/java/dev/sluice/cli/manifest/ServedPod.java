package dev.sluice.cli.manifest;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Turns a manifest into the pod that the API server would send to a webhook, as far as a decision reads it. Missing
 * requests are filled from limits (pkg/apis/core/v1 {@code SetDefaults_Pod}). The API server writes the typed object
 * out again, always with {@code metadata} and {@code resources}, and without empty maps.
 */
final class ServedPod {

    private ServedPod() {}

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
        return pod;
    }

    private static void complete(ObjectNode container) {
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
