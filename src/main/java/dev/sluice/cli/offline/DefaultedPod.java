package dev.sluice.cli.offline;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.stream.Stream;

/**
 * Adds the defaults of Kubernetes to a pod as its author wrote it. The API server and its admission plugins do the same
 * before they call a webhook.
 */
final class DefaultedPod {

    /** The fields of the metadata that the API server writes first, in this order. */
    private static final List<String> METADATA = List.of(
            "name", "generateName", "namespace", "creationTimestamp", "labels", "annotations", "ownerReferences");

    private static final List<String> SPEC =
            List.of("volumes", "initContainers", "containers", "ephemeralContainers", "restartPolicy");

    private static final List<String> CONTAINER = List.of("name", "image", "env", "resources", "restartPolicy");

    private final JsonNode template;

    /** @param template a pod with one container, as the API server sends it to a webhook */
    DefaultedPod(JsonNode template) {
        this.template = template;
    }

    ObjectNode of(JsonNode written) {
        ObjectNode pod = laidOver(template, written, List.of("kind", "apiVersion"));
        pod.set("metadata", metadata(written.path("metadata")));
        pod.set("spec", spec(written.path("spec")));
        return pod;
    }

    /**
     * Returns the metadata with defaults. If the author wrote {@code generateName}, there is no name, because the API
     * server generates the name after admission.
     */
    private ObjectNode metadata(JsonNode written) {
        ObjectNode metadata = laidOver(template.path("metadata"), written, METADATA);
        if (written.has("generateName")) {
            metadata.remove("name");
        }
        return metadata;
    }

    /**
     * Returns the spec with defaults. The tolerations of the template are appended to the pod's own tolerations. In a
     * cluster, the admission plugin DefaultTolerationSeconds appends them.
     */
    private ObjectNode spec(JsonNode written) {
        ObjectNode spec = laidOver(template.path("spec"), written, SPEC);
        ArrayNode tolerations = spec.putArray("tolerations");
        Stream.of(written, template.path("spec"))
                .forEach(pod -> pod.path("tolerations").forEach(tolerations::add));
        for (String list : List.of("initContainers", "containers")) {
            if (written.has(list)) {
                ArrayNode containers = spec.putArray(list);
                written.path(list).forEach(container -> containers.add(container(container)));
            }
        }
        if (written.has("resources")) {
            spec.set("resources", resources(written.path("resources")));
        }
        if (written.has("overhead")) {
            spec.set("overhead", texts(written.path("overhead")));
        }
        return spec;
    }

    private ObjectNode container(JsonNode written) {
        ObjectNode container = laidOver(template.path("spec").path("containers").path(0), written, CONTAINER);
        container.set("resources", resources(written.path("resources")));
        return container;
    }

    /**
     * Returns the resources as the API server writes them: quantities are texts, and a missing request is equal to the
     * limit.
     */
    private static ObjectNode resources(JsonNode written) {
        ObjectNode resources = JsonNodeFactory.instance.objectNode();
        written.properties().forEach(field -> resources.set(field.getKey(), texts(field.getValue())));
        if (resources.path("limits") instanceof ObjectNode limits && !limits.isEmpty()) {
            if (!resources.has("requests")) {
                var _ = resources.putObject("requests");
            }
            if (resources.path("requests") instanceof ObjectNode requests) {
                limits.properties().forEach(limit -> requests.putIfAbsent(limit.getKey(), limit.getValue()));
            }
        }
        return resources;
    }

    private static JsonNode texts(JsonNode quantities) {
        if (!quantities.isObject()) {
            return quantities;
        }
        ObjectNode texts = JsonNodeFactory.instance.objectNode();
        quantities
                .properties()
                .forEach(quantity ->
                        texts.put(quantity.getKey(), quantity.getValue().asText()));
        return texts;
    }

    /**
     * Returns the fields of the template and the written fields. If both have a field, the written one is used. The
     * fields in {@code first} come first.
     */
    private static ObjectNode laidOver(JsonNode template, JsonNode written, List<String> first) {
        ObjectNode result = JsonNodeFactory.instance.objectNode();
        Stream.of(first.stream(), names(template), names(written))
                .flatMap(names -> names)
                .distinct()
                .filter(name -> template.has(name) || written.has(name))
                .forEach(name -> result.set(name, written.has(name) ? written.get(name) : template.get(name)));
        return result;
    }

    private static Stream<String> names(JsonNode object) {
        return object.properties().stream().map(field -> field.getKey());
    }
}
