package dev.sluice.cli.offline;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import dev.sluice.cli.Cli;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Whatever is in a file, the command says what is wrong with it, and goes on with the rest. */
class BrokenInputTest {

    private static final Path LOG = Path.of("src/test/resources/replay/audit.log");
    private static final Path CLUSTER = Path.of("conf/policy-tests/cluster.yaml");
    private static final Path AVAILABILITY = Path.of("conf/policy-tests/a-full-cluster-lets-pods-wait/gateway.yaml");
    private static final ObjectMapper JSON = new ObjectMapper();

    @TempDir
    private Path directory;

    private static List<JsonNode> events() throws IOException {
        List<JsonNode> events = new ArrayList<>();
        for (String line : Files.readAllLines(LOG)) {
            events.add(JSON.readTree(line));
        }
        return events;
    }

    private Cli replay(String name, String text) throws IOException {
        return Cli.run(
                "replay",
                Files.writeString(directory.resolve(name), text),
                "--cluster-snapshot",
                CLUSTER,
                "--config",
                AVAILABILITY,
                "--pods");
    }

    private static void isNoFaultOfOurs(Cli run) {
        assertThat(run.err()).doesNotContain("internal error").doesNotContain("nested too deeply");
        assertThat(run.code()).isBetween(0, 2);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4})
    void brokenEventsAndRecordsAreOnlyCounted(long seed) throws IOException {
        BrokenJson broken = new BrokenJson(new Random(seed));
        JsonNode record = JSON.readTree("""
                {"id":"p-1","time":"2026-11-27T04:21:01Z","namespace":"team-a","name":"train-*","owner":{"kind":"Job",
                 "name":"train"},"dryRun":false,"decision":"changed","reason":"NotOffered","containers":[{"name":"c",
                 "kind":"main","asked":{"nvidia.com/mig-3g.40gb":"1"},"given":{"nvidia.com/mig-2g.20gb":"1"}}],
                 "moreContainers":0}""");
        StringBuilder text = new StringBuilder();
        for (JsonNode event : events()) {
            for (int i = 0; i < 60; i++) {
                // What was read before is not read again.
                text.append(broken.of(renamed(event, "-" + i + "\""))).append('\n');
                text.append(broken.of(renamed(record, "-" + i + "\""))).append('\n');
            }
        }
        // The events of a sound log are replayed behind all that.
        text.append(Files.readString(LOG).replaceAll("(\"(auditID|uid)\":\")", "$1sound-"));

        Cli run = replay("broken.log", text.toString());

        isNoFaultOfOurs(run);
        assertThat(run.out()).contains("team-a/infer-c858d6b95-h6cmq").contains("To be noted:");
    }

    private static JsonNode renamed(JsonNode line, String end) throws IOException {
        return JSON.readTree(line.toString().replaceAll("(\"(auditID|uid|id)\":\"[^\"]*)\"", "$1" + end));
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4})
    void brokenPodsAreOnlyCounted(long seed) throws IOException {
        BrokenJson broken = new BrokenJson(new Random(seed));
        ArrayNode items = JSON.createArrayNode();
        for (JsonNode event : events()) {
            JsonNode pod = event.path("responseObject");
            for (int i = 0; pod.path("spec").isObject() && i < 60; i++) {
                items.add(broken.of(renamed(pod, "-" + i + "\"")));
            }
        }

        isNoFaultOfOurs(replay(
                "pods.json",
                JSON.createObjectNode()
                        .put("apiVersion", "v1")
                        .put("kind", "PodList")
                        .set("items", items)
                        .toString()));
    }

    @Test
    void aLogThatIsCutAnywhereIsReplayedUpToThere() throws IOException {
        String text = Files.readString(LOG);
        for (int at = 1; at < text.length(); at += 997) {
            isNoFaultOfOurs(replay("cut.log", text.substring(0, at)));
            isNoFaultOfOurs(replay("tail.log", text.substring(at)));
        }
    }
}
