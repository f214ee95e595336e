package dev.sluice.cli.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import dev.sluice.cli.Cli;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Each file of {@code src/test/resources/doctor} is a cluster and what has to be said of it. Its first document is the
 * List that the doctor reads; the second has {@code pods} and {@code nodes} with what is expected of each. Where a pod
 * has {@code names}, its explanation has to contain each of them, and where it has {@code not}, none of those;
 * {@code evidence} lists objects, as in {@code Node a}, that have to be among its evidence, some with what has to be
 * seen on them, as in {@code Node a: 8 allocatable, 8 used}. {@code findings} has texts that the findings of a node
 * have to contain, and {@code headline} is the first line of the text. {@code next} is the command that the text
 * suggests for a pod.
 */
class DoctorCasesTest {

    private static final Path CASES = Path.of("src/test/resources/doctor");
    private static final YAMLMapper YAML = new YAMLMapper();

    static Stream<String> cases() throws IOException {
        try (Stream<Path> files = Files.list(CASES)) {
            return files.map(file -> file.getFileName().toString()).sorted().toList().stream();
        }
    }

    @ParameterizedTest
    @MethodSource("cases")
    void saysWhatTheCaseExpects(String name) throws IOException {
        String[] documents = Files.readString(CASES.resolve(name)).split("(?m)^---$", -1);
        Path cluster = Files.createTempFile("doctor", ".json");
        Files.write(cluster, new ObjectMapper().writeValueAsBytes(YAML.readTree(documents[0])));
        JsonNode expected = YAML.readTree(documents[1]);

        Cli shown = Cli.run("doctor", "--cluster-snapshot", cluster, "-o", "json");
        textTells(cluster, expected);
        Files.delete(cluster);

        assertThat(shown.code()).as(shown.err()).isZero();
        JsonNode report = new ObjectMapper().readTree(shown.out());
        assertThat(facts(report)).as(shown.out()).isEqualTo(expectedFacts(expected));
        namesAreTold(report, expected);
        findingsTell(report, expected);
        evidenceIsOfObjects(report, YAML.readTree(documents[0]), expected);
    }

    private static void textTells(Path cluster, JsonNode expected) {
        List<String> commands = expected.path("pods").findValuesAsText("next");
        if (expected.has("headline") || !commands.isEmpty()) {
            String text = Cli.run("doctor", "--cluster-snapshot", cluster).out();
            assertThat(text).startsWith(expected.path("headline").asText());
            String line = text.replaceAll("\\s+", " ");
            assertThat(commands).allSatisfy(command -> assertThat(line).contains("Next: " + command));
        }
    }

    /** As in {@code AllUsed [also] reasons}; nodes as their codes. */
    private static Map<String, String> facts(JsonNode report) {
        Map<String, String> facts = new TreeMap<>();
        for (JsonNode pod : report.get("pods")) {
            assertThat(pod.get("explanation").asText()).hasSizeBetween(1, 2000);
            facts.put(
                    "pod " + pod.get("namespace").asText() + "/"
                            + pod.get("name").asText(),
                    pod.get("verdict").asText() + texts(pod.get("also")) + texts(pod.get("reasons")));
        }
        for (JsonNode node : report.get("nodes")) {
            List<String> codes = new ArrayList<>();
            node.get("findings")
                    .forEach(finding -> codes.add(finding.get("code").asText()));
            facts.put("node " + node.get("name").asText(), codes.toString());
        }
        return facts;
    }

    private static Map<String, String> expectedFacts(JsonNode expected) {
        Map<String, String> facts = new TreeMap<>();
        expected.path("pods").properties().forEach(pod -> {
            JsonNode wanted = pod.getValue();
            facts.put(
                    "pod " + pod.getKey(),
                    wanted.path("verdict").asText("null") + texts(wanted.path("also")) + texts(wanted.path("reasons")));
        });
        expected.path("nodes")
                .properties()
                .forEach(node -> facts.put(
                        "node " + node.getKey(), texts(node.getValue()).toString()));
        return facts;
    }

    private static List<String> texts(JsonNode list) {
        List<String> texts = new ArrayList<>();
        list.forEach(text -> texts.add(text.asText()));
        return texts;
    }

    private static void namesAreTold(JsonNode report, JsonNode expected) {
        for (JsonNode pod : report.get("pods")) {
            String key = pod.get("namespace").asText() + "/" + pod.get("name").asText();
            for (String name : texts(expected.path("pods").path(key).path("names"))) {
                assertThat(pod.get("explanation").asText()).as(key).contains(name);
            }
            for (String text : texts(expected.path("pods").path(key).path("not"))) {
                assertThat(pod.get("explanation").asText()).as(key).doesNotContain(text);
            }
        }
    }

    private static void findingsTell(JsonNode report, JsonNode expected) {
        Map<String, String> told = new TreeMap<>();
        for (JsonNode node : report.get("nodes")) {
            told.put(node.get("name").asText(), node.get("findings").toString());
        }
        expected.path("findings")
                .properties()
                .forEach(node -> assertThat(told.get(node.getKey())).contains(texts(node.getValue())));
    }

    /** A claim can be evidence by its absence, and an owner or a Workload by its events alone. */
    private static void evidenceIsOfObjects(JsonNode report, JsonNode cluster, JsonNode expected) {
        Set<String> objects = new HashSet<>();
        cluster.path("items").forEach(item -> {
            objects.add(object(item));
            JsonNode about = item.path("involvedObject");
            objects.add(
                    about.path("kind").asText() + " " + about.path("namespace").asText() + "/"
                            + about.path("name").asText());
        });
        for (JsonNode pod : report.get("pods")) {
            String key = pod.get("namespace").asText() + "/" + pod.get("name").asText();
            List<String> told = new ArrayList<>();
            for (JsonNode evidence : pod.get("evidence")) {
                String kind = evidence.get("kind").asText();
                String name = evidence.get("name").asText();
                told.add(kind + " " + name);
                told.add(kind + " " + name + ": " + evidence.get("fact").asText());
                boolean absent = kind.equals("ResourceClaim")
                        || key.equals(name.replaceFirst("/", "/" + kind.toLowerCase(Locale.ROOT) + "/"));
                assertThat(absent || objects.contains(kind + " " + name))
                        .as("%s of %s", evidence, key)
                        .isTrue();
            }
            boolean runs =
                    List.of("Healthy", "null").contains(pod.get("verdict").asText());
            assertThat(runs || !told.isEmpty()).as("evidence of %s", key).isTrue();
            assertThat(told)
                    .as(key)
                    .containsAll(texts(expected.path("pods").path(key).path("evidence")));
        }
    }

    private static String object(JsonNode item) {
        JsonNode metadata = item.path("metadata");
        String namespace = metadata.path("namespace").asText();
        return item.path("kind").asText() + " " + (namespace.isEmpty() ? "" : namespace + "/")
                + metadata.path("name").asText();
    }
}
