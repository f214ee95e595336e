package dev.sluice.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.sluice.cli.Cli;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** No sentence of a golden case has a slip that an empty list or a forgotten case leaves. */
class GoldenSentencesTest {

    private static final ObjectMapper JSON = new ObjectMapper();

    /** Whatever others wrote is quoted as they wrote it. */
    private static final Pattern QUOTED = Pattern.compile("\"[^\"]+\"");

    private static final String NOUNS =
            "(node|pod|device|object|container|claim|model|event|second|minute|namespace|slice|other)";

    private static final List<Pattern> SLIPS = Stream.of(
                    "\\s[.,;:!?)](\\s|$)",
                    "(?<!\\.)\\.\\.(?!\\.)",
                    "[,;:(]\\s*[.,;:)]",
                    "(^|\\s)\"\"",
                    "\\S\\s{2,}\\S",
                    "\\bnull\\b",
                    "\\b(are|have|were) an? ",
                    "(?<=\\s)(and|or|of|to|requests?|by|with|the)\\s*[.,;](\\s|$)",
                    "(?<![\\w.,:/=-])1 " + NOUNS + "s\\b",
                    "(?<![\\w.,:/=-])([2-9]|\\d{2,}) " + NOUNS + "\\b",
                    "\\b(and|or|of|the|is|are|a|an|to|for) \\1\\b")
            .map(Pattern::compile)
            .toList();

    @TempDir
    private Path directory;

    private static List<String> slips(String sentences) {
        String ours = QUOTED.matcher(sentences).replaceAll("\"quoted\"");
        return SLIPS.stream()
                .map(slip -> slip.matcher(ours))
                .filter(Matcher::find)
                .map(found -> "<" + found.group() + "> in: " + sentences)
                .toList();
    }

    private List<String> sentences(Path golden) throws Exception {
        Path cluster = directory.resolve("cluster.yaml");
        Files.writeString(cluster, Files.readString(golden).split("(?m)^---$", -1)[0]);
        JsonNode report = JSON.readTree(
                Cli.run("doctor", "-o", "json", "--cluster-snapshot", cluster).out());
        List<String> sentences = new ArrayList<>();
        for (String member : List.of("explanation", "consequence", "fact")) {
            report.findValues(member).forEach(value -> sentences.add(value.asText()));
        }
        return sentences;
    }

    @Test
    void noSentenceHasASlip() throws Exception {
        List<String> slips = new ArrayList<>();
        int sentences = 0;
        try (Stream<Path> cases = Files.list(Path.of("src/test/resources/doctor"))) {
            for (Path golden : cases.sorted().toList()) {
                for (String sentence : sentences(golden)) {
                    sentences++;
                    slips(sentence).forEach(slip -> slips.add(golden.getFileName() + ": " + slip));
                }
            }
        }
        assertThat(slips).isEmpty();
        assertThat(sentences).isGreaterThan(1_000);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Pod a/b requests .",
                "It ended..",
                "The nodes are: .",
                "Nodes () have none.",
                "It says \"\".",
                "The models are a model that no label names.",
                "1 pods wait.",
                "2 pod waits.",
                "It is of the the node.",
                "It is on null."
            })
    void aSlipIsSeen(String sentence) {
        assertThat(slips(sentence)).isNotEmpty();
    }

    @Test
    void aMisspeltRequestIsNamed() throws Exception {
        Path golden = Path.of("src/test/resources/doctor/a-misspelt-name-gets-a-suggestion.yaml");

        assertThat(sentences(golden)).anyMatch(it -> it.startsWith("Pod team-a/embed-0 requests nvidia.com/gpus: 1. "));
    }
}
