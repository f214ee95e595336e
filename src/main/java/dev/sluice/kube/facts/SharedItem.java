package dev.sluice.kube.facts;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.doctor.GpuComponent;
import java.util.Iterator;
import java.util.Map;
import java.util.Set;

/** What of an object may be given to others: what {@link PrunedTree} keeps, without what may hold a secret. */
final class SharedItem {

    private static final Set<String> WORDS = Set.of("command", "args");

    /** A container writes its own message when it ends; no rule reads it. */
    private static final Set<String> STATES = Set.of("terminated", "waiting");

    /** The name under which the API server knows the gateway. */
    public static final String WEBHOOK = "gpu-allocation.k8s.io";

    static final String IMAGE = "image";

    private static final Set<String> CONTAINERS = Set.of("containers", "initContainers");
    private static final Set<String> STATUSES =
            Set.of("containerStatuses", "ephemeralContainerStatuses", "initContainerStatuses");

    private SharedItem() {}

    /** The object itself, changed so that it is read again as it was. */
    public static ObjectNode of(ObjectNode item) {
        clean(item);
        images(item);
        webhooks(item);
        if (item.path("metadata") instanceof ObjectNode metadata) {
            managed(metadata);
        }
        return item;
    }

    /** Removes all images but those of GPU software, of which a report tells the versions; the registry is cut off. */
    private static void images(ObjectNode item) {
        boolean pod = item.path("kind").asText().equals("Pod");
        boolean kept = pod
                && GpuComponent.of(item.path("metadata").path("name").asText()).isPresent();
        JsonNode spec = item.path("spec");
        for (String list : CONTAINERS) {
            spec.path(list).forEach(container -> image(container, kept));
            spec.path("template").path("spec").path(list).forEach(container -> image(container, /* kept= */ false));
        }
        for (String list : STATUSES) {
            item.path("status").path(list).forEach(status -> image(status, /* kept= */ false));
        }
    }

    /** Removes all webhooks that are not the gateway's. */
    private static void webhooks(ObjectNode item) {
        Iterator<JsonNode> each = item.path("webhooks").elements();
        while (each.hasNext()) {
            if (!each.next().path("name").asText().equals(WEBHOOK)) {
                each.remove();
            }
        }
    }

    private static void image(JsonNode container, boolean kept) {
        if (container instanceof ObjectNode object) {
            JsonNode image = object.remove(IMAGE);
            if (kept && image != null) {
                object.put(IMAGE, GpuComponent.shortImage(image.asText()));
            }
        }
    }

    private static void managed(ObjectNode metadata) {
        JsonNode written = metadata.remove(PrunedTree.MANAGED);
        JsonNode labelled = metadata.remove(PrunedTree.MIG_LABELLED);
        if (written != null) {
            metadata.putArray("managedFields").addObject().set("time", written);
        }
        if (labelled != null) {
            ObjectNode owner = metadata.withArray("managedFields").addObject();
            owner.set("time", labelled);
            owner.putObject("fieldsV1")
                    .putObject("f:metadata")
                    .putObject("f:labels")
                    .putObject("f:" + PrunedTree.MIG_STATE);
        }
    }

    private static void clean(JsonNode value) {
        for (Map.Entry<String, JsonNode> field : value.properties()) {
            switch (field.getValue()) {
                case ArrayNode words when WORDS.contains(field.getKey()) -> field.setValue(schedulerName(words));
                case ObjectNode state when STATES.contains(field.getKey()) -> state.remove("message");
                default -> clean(field.getValue());
            }
        }
        if (value instanceof ArrayNode list) {
            list.forEach(SharedItem::clean);
        }
    }

    /** Keeps only the words that name a scheduler. A word that is no string becomes null, which is as malformed. */
    private static ArrayNode schedulerName(ArrayNode words) {
        ArrayNode kept = JsonNodeFactory.instance.arrayNode();
        boolean next = false;
        for (JsonNode word : words) {
            if (!word.isTextual()) {
                kept.addNull();
            } else if (next || isFlag(word.textValue())) {
                kept.add(word);
            }
            next = !next && word.isTextual() && word.textValue().equals(PodReader.FLAG);
        }
        return kept;
    }

    private static boolean isFlag(String word) {
        return word.equals(PodReader.FLAG) || word.startsWith(PodReader.FLAG + "=");
    }
}
