package dev.sluice.it;

import com.fasterxml.jackson.databind.JsonNode;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** One line of the API server's audit log. */
record AuditEvent(String user, String verb, String uri, int status, Instant at, Map<String, String> annotations) {

    static AuditEvent parse(String line) {
        JsonNode event = Serialization.unmarshal(line, JsonNode.class);
        Map<String, String> annotations = new HashMap<>();
        event.path("annotations")
                .properties()
                .forEach(each -> annotations.put(each.getKey(), each.getValue().asText()));
        return new AuditEvent(
                event.path("user").path("username").asText(),
                event.path("verb").asText(),
                event.path("requestURI").asText(),
                event.path("responseStatus").path("code").asInt(),
                Instant.parse(event.path("requestReceivedTimestamp").asText()),
                annotations);
    }

    /** The newest event of that namespace that has an annotation of which the key ends so. */
    static AuditEvent withAnnotation(ControlPlane plane, String namespace, String keyEnd) {
        return Eventually.found(
                "an audit event in " + namespace + " with " + keyEnd, () -> newest(plane, namespace, keyEnd));
    }

    private static Optional<AuditEvent> newest(ControlPlane plane, String namespace, String keyEnd) throws IOException {
        try (Stream<String> lines = Files.lines(plane.auditLog())) {
            return lines.filter(line -> line.contains("/namespaces/" + namespace + "/"))
                    .map(AuditEvent::parse)
                    .filter(event -> event.annotation(keyEnd).isPresent())
                    .reduce((_, later) -> later);
        }
    }

    Optional<String> annotation(String keyEnd) {
        return annotations.entrySet().stream()
                .filter(each -> each.getKey().endsWith(keyEnd))
                .map(Map.Entry::getValue)
                .findFirst();
    }
}
