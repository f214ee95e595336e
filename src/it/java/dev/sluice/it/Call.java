package dev.sluice.it;

import com.fasterxml.jackson.databind.JsonNode;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.vertx.core.http.HttpVersion;
import java.util.Map;

/** What the API server sent to a webhook. */
record Call(HttpVersion version, String query, JsonNode request) {

    String uid() {
        return request.path("uid").asText();
    }

    JsonNode object() {
        return request.path("object");
    }

    Pod pod() {
        return Serialization.unmarshal(object().toString(), Pod.class);
    }

    Map<String, String> annotations() {
        Map<String, String> annotations = pod().getMetadata().getAnnotations();
        return annotations == null ? Map.of() : annotations;
    }
}
