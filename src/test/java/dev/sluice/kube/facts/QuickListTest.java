package dev.sluice.kube.facts;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import dev.sluice.cluster.SourceProblem;
import dev.sluice.doctor.facts.ClusterFacts;
import dev.sluice.json.PlainJson.NotPlain;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What several threads read of a List is what one reads of it item by item. */
class QuickListTest {

    private static final Path CASES = Path.of("src/test/resources/doctor");

    private static ClusterFacts quickly(byte[] text) throws IOException, SourceProblem {
        return QuickList.read(new ByteArrayInputStream(text)).facts();
    }

    private static ClusterFacts carefully(byte[] text) throws IOException, SourceProblem {
        return QuickListFuzz.readCarefully(text);
    }

    private static JsonNode cluster(Path file) throws IOException {
        return new YAMLMapper().readTree(Files.readString(file).split("(?m)^---$", -1)[0]);
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    @Test
    void readsEveryCaseAlikeHoweverItIsIndented() throws IOException, SourceProblem {
        List<Path> files;
        try (Stream<Path> cases = Files.list(CASES)) {
            files = cases.sorted().toList();
        }
        for (Path file : files) {
            JsonNode cluster = cluster(file);
            ClusterFacts expected = carefully(utf8(cluster.toString()));
            assertThat(quickly(utf8(cluster.toString()))).as(file.toString()).isEqualTo(expected);
            assertThat(quickly(utf8(cluster.toPrettyString())))
                    .as(file.toString())
                    .isEqualTo(expected);
        }
    }

    /** Some bundles, in which the newest of objects with one name is told by their order alone. */
    @Test
    void keepsTheOrderOfTheItemsAcrossBundles() throws IOException, SourceProblem {
        StringBuilder items = new StringBuilder();
        for (int i = 0; i < 3_000; i++) {
            items.append(i == 0 ? "" : ",\n")
                    .append(("{\"kind\": \"Event\", \"metadata\": {\"name\": \"e%d\"},"
                                    + " \"message\": \"%s %d\"}, {\"kind\": \"PriorityClass\", \"metadata\": {\"name\": \"p%d\"},"
                                    + " \"value\": %d, \"globalDefault\": true}, {\"kind\": \"Node\", \"metadata\":"
                                    + " {\"name\": \"n%d\", \"labels\": {\"number\": \"%d\"}}}, {\"kind\": \"Pod\"},"
                                    + " {\"kind\": \"Pod\", \"metadata\": {\"name\": \"p%d\", \"namespace\": \"ns\"}}")
                            .formatted(i, "x".repeat(300), i, i, i, i % 7, i, i));
        }
        byte[] text = utf8("{\"apiVersion\": \"v1\", \"items\": [" + items + "], \"kind\": \"List\"}");

        ClusterFacts read = quickly(text);

        assertThat(text).hasSizeGreaterThan(4 * 512 * 1024 / 2);
        assertThat(read).isEqualTo(carefully(text));
        assertThat(read.events()).hasSize(3_000);
        assertThat(read.pods().getLast().ask().priority()).isEqualTo(2_999);
        assertThat(read.unread()).hasSize(100);
    }

    @Test
    void aDefaultPriorityOf0ReplacesThatOfAnEarlierFile(@TempDir Path directory) throws IOException, SourceProblem {
        String preset =
                "{\"kind\":\"List\",\"items\":[{\"kind\":\"PriorityClass\",\"metadata\":{\"name\":\"p\"},\"value\":%d,"
                        + "\"globalDefault\":true},{\"kind\":\"Pod\",\"metadata\":{\"name\":\"x\",\"namespace\":\"ns\"}}]}";
        Path five = Files.writeString(directory.resolve("five.json"), preset.formatted(5));
        Path zero = Files.writeString(directory.resolve("zero.json"), preset.formatted(0));

        assertThat(priority(five)).isEqualTo(5);
        assertThat(priority(zero, five)).isEqualTo(5);
        assertThat(priority(five, zero)).isZero();
    }

    private static long priority(Path... files) throws SourceProblem {
        return FactsFiles.read(List.of(files)).pods().getFirst().ask().priority();
    }

    @Test
    void readsAnObjectThatIsLargerThanABundle() throws IOException, SourceProblem {
        String images = "{\"names\": [\"%s\"]},".formatted("i".repeat(1_000)).repeat(2_000);
        byte[] text = utf8("{\"kind\":\"List\",\"items\":[{\"kind\":\"Node\",\"metadata\":{\"name\":\"n\"},\"status\":{"
                + "\"images\":[" + images + "{}]}},{\"kind\":\"Node\",\"metadata\":{\"name\":\"m\"}}]}");

        assertThat(quickly(text)).isEqualTo(carefully(text));
        assertThat(quickly(text).nodes()).hasSize(2);
    }

    @Test
    void readsWhatStandsAroundTheItems() throws IOException, SourceProblem {
        byte[] text =
                utf8("{\"sluice\": {\"listed\": [\"leases\"], \"failed\": {\"jobs\": \"it may not\"}}, \"items\": [],"
                        + " \"metadata\": {\"x\": \"\\\"items\\\":[\"}, \"kind\": \"List\"}");

        assertThat(quickly(text)).isEqualTo(carefully(text));
        assertThat(quickly(text).failures()).hasSize(1);
    }

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3, 4})
    void acceptsNothingThatIsOtherwiseReadCarefully(long seed) throws IOException {
        Random random = new Random(seed);
        byte[] good = utf8(cluster(CASES.resolve("all-used.yaml")).toPrettyString());
        String letters = "{}[],:\"\\ \n0x";
        int accepted = 0;
        for (int i = 0; i < 1_000; i++) {
            byte[] text = good.clone();
            for (int mistakes = random.nextInt(3); mistakes >= 0; mistakes--) {
                text[random.nextInt(text.length)] = (byte) letters.charAt(random.nextInt(letters.length()));
            }
            ClusterFacts read;
            try {
                read = quickly(text);
            } catch (IOException | SourceProblem left) {
                continue;
            }
            accepted++;
            assertThat(read).as(new String(text, StandardCharsets.UTF_8)).isEqualTo(readable(text));
        }
        assertThat(accepted).isBetween(50, 950);
    }

    private static ClusterFacts readable(byte[] text) throws IOException {
        try {
            return carefully(text);
        } catch (SourceProblem refused) {
            throw new AssertionError("read quickly, but refused: " + new String(text, StandardCharsets.UTF_8), refused);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "[]",
                "{}",
                "kind: List\nitems: []\n",
                "{\"kind\":\"List\",\"items\":[{\"metadata\":{}}]}",
                "{\"kind\":\"List\",\"items\":[1]}",
                "{\"kind\":\"List\",\"items\":[{\"kind\":\"Node\"},]}",
                "{\"kind\":\"List\",\"items\":[{\"kind\":\"Node\"} {\"kind\":\"Node\"}]}",
                "{\"kind\":\"List\",\"items\":[{\"kind\":\"Node\"}",
                "{\"kind\":\"List\",\"items\":[,{\"kind\":\"Node\"}]}",
                "{\"kind\":\"List\",\"items\":{}}",
                "{\"kind\":\"List\",\"items\":[{\"kind\":\"Node\"}]]}",
                "--- {\"kind\":\"List\",\"items\":[{\"kind\":\"Node\"}]}",
                "{\"kind\":\"List\",\"\\u0069tems\":[],\"items\":[{\"kind\":\"Node\"}]}"
            })
    void leavesWhatIsNoPlainListToOthers(String text) {
        assertThatThrownBy(() -> quickly(utf8(text))).isInstanceOfAny(IOException.class, SourceProblem.class);
    }

    /** What stands around the items, and one item, have limits: both are held in memory. */
    @Test
    void leavesWhatWouldFillTheMemoryToOthers() {
        String large = "[\"%s\"],".formatted("x".repeat(1_000)).repeat(20_000);
        for (String text : List.of(
                "{\"kind\":\"List\",\"items\":[{\"kind\":\"Node\",\"x\":[" + large + "1]}]}",
                "{\"kind\":\"List\",\"items\":[],\"x\":[" + large + "1]}",
                "{\"kind\":\"List\",\"x\":[" + large + "1],\"items\":[]}")) {
            assertThatThrownBy(() -> quickly(utf8(text))).isInstanceOf(NotPlain.class);
        }
    }
}
