package dev.sluice.it;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** One line of the API server's audit log. */
record AuditEvent(String user, String verb, String uri, int status, Instant at, Map<String, String> annotations) {

    /** The log repeats what was created, names of any length and objects of any depth among it. */
    private static final ObjectMapper JSON = new ObjectMapper(JsonFactory.builder()
            .streamReadConstraints(StreamReadConstraints.builder()
                    .maxNameLength(Integer.MAX_VALUE)
                    .maxStringLength(Integer.MAX_VALUE)
                    .maxNestingDepth(20_000)
                    .build())
            .build());

    private static JsonNode read(String line) {
        try {
            return JSON.readTree(line);
        } catch (JsonProcessingException broken) {
            throw new UncheckedIOException(broken);
        }
    }

    static AuditEvent parse(String line) {
        JsonNode event = read(line);
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
