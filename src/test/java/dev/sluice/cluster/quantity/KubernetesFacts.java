package dev.sluice.cluster.quantity;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;

/** What Kubernetes' own code answered to generated questions, under {@code src/test/resources/kubernetes}. */
public final class KubernetesFacts {

    private static final JsonMapper JSON = new JsonMapper();

    private KubernetesFacts() {}

    /** The rows of a file of columns parted by tabs; the first line says what they are. */
    public static List<List<String>> rows(String file) {
        return lines(file)
                .filter(line -> !line.startsWith("#"))
                .map(line -> List.of(line.split("\t", -1)))
                .toList();
    }

    /** The documents of a file that has one on each line. */
    public static List<JsonNode> documents(String file) {
        return lines(file).map(KubernetesFacts::document).toList();
    }

    private static JsonNode document(String line) {
        try {
            return JSON.readTree(line);
        } catch (JsonProcessingException e) {
            throw new AssertionError(line, e);
        }
    }

    private static Stream<String> lines(String file) {
        try (InputStream in = KubernetesFacts.class.getResourceAsStream("/kubernetes/" + file)) {
            return new String(Objects.requireNonNull(in, file).readAllBytes(), StandardCharsets.UTF_8).lines();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public static Map<String, String> texts(JsonNode object) {
        Map<String, String> texts = new HashMap<>();
        object.properties()
                .forEach(member -> texts.put(member.getKey(), member.getValue().textValue()));
        return texts;
    }

    public static Quantity quantity(String text) {
        return Quantity.parse(text).orElseThrow(() -> new AssertionError("refused: " + text));
    }
}
