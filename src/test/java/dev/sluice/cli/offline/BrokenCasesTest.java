package dev.sluice.cli.offline;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.sluice.cli.Cli;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Whatever is in a case, the command says what is wrong with it. */
class BrokenCasesTest {

    private static final Path CLUSTER = Path.of("conf/policy-tests/cluster.yaml");
    private static final ObjectMapper JSON = new ObjectMapper();

    @TempDir
    private Path directory;

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4})
    void noFileMakesItFail(long seed) throws IOException {
        BrokenJson broken = new BrokenJson(new Random(seed));
        JsonNode sound = JSON.readTree("""
                {"cases": [{"name": "a", "why": "w", "namespace": "n", "pod": {"metadata": {"name": "p", "namespace": "n",
                 "annotations": {"a": "b"}}, "spec": {"nodeSelector": {"a": "b"}, "initContainers": [{"name": "i"}],
                 "containers": [{"name": "c", "resources": {"limits": {"nvidia.com/gpu": "1"}}}]}},
                 "expect": {"decision": "changed", "reason": "NotOffered", "resources": {"c": {"nvidia.com/gpu": 1}},
                 "warnings": ["x"], "fallback": "a->b", "patch": [{"op": "add", "path": "/a", "value": {}}]}}]}""");
        for (int i = 0; i < 150; i++) {
            Path file = Files.writeString(
                    directory.resolve("a.test.json"), broken.of(sound).toString());

            Cli run = Cli.run("test", file, "--cluster-snapshot", CLUSTER);

            assertThat(run.err()).as("%s", Files.readString(file)).doesNotContain("internal error");
            assertThat(run.code()).isBetween(0, 2);
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2})
    void noResponseMakesItFail(long seed) throws IOException {
        BrokenJson broken = new BrokenJson(new Random(seed));
        Path example = Path.of("src/test/resources/cases/availability-cordons-count");
        JsonNode sound = JSON.readTree(example.resolve("response.json").toFile());
        for (String file : new String[] {"pod.yaml", "cluster.yaml", "gateway.yaml"}) {
            Files.copy(example.resolve(file), directory.resolve(file));
        }
        for (int i = 0; i < 100; i++) {
            Files.writeString(
                    directory.resolve("response.json"), broken.of(sound).toString());

            Cli run = Cli.run("test", directory);

            assertThat(run.err())
                    .as("%s", Files.readString(directory.resolve("response.json")))
                    .doesNotContain("internal error");
        }
    }
}
