package dev.sluice;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.admission.request.ActivePolicy;
import dev.sluice.cli.offline.CaseDirectory;
import dev.sluice.config.ConfigLoader;
import dev.sluice.config.ConfigLoader.Loading;
import dev.sluice.golden.GoldenCase;
import dev.sluice.kube.watch.SnapshotFile;
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
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Every directory of {@code cases} through the whole gateway, over HTTPS: cluster.yaml and gateway.yaml in, the review
 * of the pod posted, response.json out. Adding a case needs no Java.
 */
class GoldenCasesTest {

    /** A review is built from these, unless the case brings its own. */
    private static final Set<String> BUILT_UPON = Set.of("pod.yaml", "request.yaml");

    private static final Pattern STAMP = Pattern.compile(
            "(gpu-webhook\\.k8s\\.io(?:/decision\":|~1decision\",\"value\":)\")[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}(\")");
    private static final ObjectMapper JSON = new ObjectMapper();

    /** Starting one takes longer than many cases: one for each policy. */
    private static final Map<ActivePolicy, GatewayUnderTest> GATEWAYS = new HashMap<>();

    static List<GoldenCase> cases() throws IOException {
        return GoldenCase.all();
    }

    @AfterAll
    static void closeGateways() {
        // Each takes a second to send its clients elsewhere.
        GATEWAYS.values().parallelStream().forEach(GatewayUnderTest::close);
    }

    @ParameterizedTest
    @MethodSource("cases")
    void isAnsweredAsWritten(GoldenCase golden) throws Exception {
        GatewayUnderTest gateway = GATEWAYS.computeIfAbsent(policy(golden), GatewayUnderTest::start);
        gateway.show(SnapshotFile.read(golden.cluster()));

        byte[] review = golden.review();
        JsonNode answer = JSON.readTree(gateway.post(review));

        assertThat(answer.path("response").path("uid"))
                .isEqualTo(JSON.readTree(review).path("request").path("uid"));
        assertThat(readable(answer.path("response"))).as(golden.why()).isEqualTo(readable(golden.response()));
    }

    private static ActivePolicy policy(GoldenCase golden) {
        return switch (ConfigLoader.load(golden.gateway().orElse(null), Map.of())) {
            case Loading.Loaded loaded -> ActivePolicy.first(loaded.config().policy(), loaded.injector());
            case Loading.NotLoaded refused -> throw new AssertionError(refused.problems());
        };
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

    @ParameterizedTest
    @MethodSource("cases")
    void noFileOfACaseIsUnused(GoldenCase golden) throws IOException {
        try (Stream<Path> files = Files.list(golden.directory())) {
            List<String> names =
                    files.map(file -> file.getFileName().toString()).toList();

            assertThat(names).isSubsetOf(CaseDirectory.FILES);
            if (names.contains("review.json")) {
                assertThat(names).doesNotContainAnyElementsOf(BUILT_UPON);
            }
        }
    }
}
