package dev.sluice;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.admission.ActivePolicy;
import dev.sluice.config.ConfigLoader;
import dev.sluice.config.Loading;
import dev.sluice.watch.SnapshotFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Every directory of {@code cases} through the whole gateway, over HTTPS: cluster.yaml and gateway.yaml in, review.json
 * posted, response.json out. Adding a case needs no Java.
 */
class GoldenCasesTest {

    private static final Path CASES = Path.of("src/test/resources/cases");
    private static final Set<String> KNOWN_FILES =
            Set.of("cluster.yaml", "review.json", "response.json", "gateway.yaml", "injection.json", "why.txt");
    private static final Pattern STAMP = Pattern.compile(
            "(gpu-webhook\\.k8s\\.io(?:/decision\":|~1decision\",\"value\":)\")[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}(\")");
    private static final ObjectMapper JSON = new ObjectMapper();

    /** Starting one takes longer than many cases: one for each policy. */
    private static final Map<ActivePolicy, GatewayUnderTest> GATEWAYS = new HashMap<>();

    static List<Path> cases() throws IOException {
        try (Stream<Path> directories = Files.list(CASES)) {
            return directories.sorted().toList();
        }
    }

    @AfterAll
    static void closeGateways() {
        // Each takes a second to send its clients elsewhere.
        GATEWAYS.values().parallelStream().forEach(GatewayUnderTest::close);
    }

    @ParameterizedTest
    @MethodSource("cases")
    void isAnsweredAsWritten(Path directory) throws Exception {
        GatewayUnderTest gateway = GATEWAYS.computeIfAbsent(policy(directory), GatewayUnderTest::start);
        gateway.show(SnapshotFile.read(directory.resolve("cluster.yaml")));

        byte[] review = Files.readAllBytes(directory.resolve("review.json"));
        JsonNode answer = JSON.readTree(gateway.post(review));

        assertThat(answer.path("response").path("uid"))
                .isEqualTo(JSON.readTree(review).path("request").path("uid"));
        JsonNode expected = JSON.readTree(directory.resolve("response.json").toFile());
        assertThat(readable(answer.path("response"))).as(why(directory)).isEqualTo(readable(expected));
    }

    private static ActivePolicy policy(Path directory) {
        Path file = directory.resolve("gateway.yaml");
        return switch (ConfigLoader.load(Files.exists(file) ? file : null, Map.of())) {
            case Loading.Loaded loaded -> ActivePolicy.first(loaded.config().policy(), loaded.injector());
            case Loading.Refused refused -> throw new AssertionError(refused.problems());
        };
    }

    private static String why(Path directory) throws IOException {
        return Files.readString(directory.resolve("why.txt"));
    }

    /** Keys sorted, the patch decoded, without what every answer has. */
    private static String readable(JsonNode response) throws IOException {
        ObjectNode copy = response.deepCopy();
        copy.remove(List.of("uid", "patchType"));
        if (copy.path("patch").isTextual()) {
            assertThat(response.path("patchType").asText()).isEqualTo("JSONPatch");
            copy.set(
                    "patch",
                    JSON.readTree(unstamped(new String(copy.path("patch").binaryValue(), UTF_8))));
        }
        return JSON.writerWithDefaultPrettyPrinter()
                .with(SerializationFeature.ORDER_MAP_ENTRIES_BY_KEYS)
                .writeValueAsString(JSON.treeToValue(copy, Object.class));
    }

    /** The stamp of a decision is another one each time. */
    private static String unstamped(String patch) {
        return STAMP.matcher(patch).replaceFirst("$1<stamp>$2");
    }

    @Test
    void noFileOfACaseIsUnused() throws IOException {
        for (Path directory : cases()) {
            try (Stream<Path> files = Files.list(directory)) {
                assertThat(files.map(file -> file.getFileName().toString())).isSubsetOf(KNOWN_FILES);
            }
        }
    }
}
