package dev.sluice.record.events;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.Optional;

/**
 * The parts of an object's metadata that Events need.
 *
 * @param created the time of the creation; {@link Instant#MIN} if the object has none
 */
record EventObjectMetadata(
        String name, String uid, Instant created, Optional<Controller> controller, JsonNode annotations) {

    /** The owner that the metadata marks as the controller of the object. It is in the same namespace. */
    record Controller(String apiVersion, String kind, String name, String uid) {

        EventTarget target(String namespace) {
            return new EventTarget(apiVersion, kind, namespace, name, uid);
        }
    }

    static EventObjectMetadata of(JsonNode object) {
        JsonNode metadata = object.path("metadata");
        return new EventObjectMetadata(
                metadata.path("name").asText(),
                metadata.path("uid").asText(),
                moment(metadata.path("creationTimestamp").asText()),
                controller(metadata.path("ownerReferences")),
                metadata.path("annotations"));
    }

    private static Instant moment(String text) {
        try {
            return Instant.parse(text);
        } catch (DateTimeException unknown) {
            return Instant.MIN;
        }
    }

    private static Optional<Controller> controller(JsonNode owners) {
        for (JsonNode owner : owners) {
            if (owner.path("controller").asBoolean()) {
                return Optional.of(new Controller(
                        owner.path("apiVersion").asText(),
                        owner.path("kind").asText(),
                        owner.path("name").asText(),
                        owner.path("uid").asText()));
            }
        }
        return Optional.empty();
    }

    /** Returns the value of an annotation. Returns an empty text if the object does not have the annotation. */
    String annotation(String key) {
        return annotations.path(key).asText();
    }
}
