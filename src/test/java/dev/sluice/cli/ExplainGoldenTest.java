package dev.sluice.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import dev.sluice.golden.GoldenCase;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** {@code sluice explain} says of the pod of every golden case what the gateway answers to its review. */
class ExplainGoldenTest {

    private static final ObjectMapper JSON = new ObjectMapper();

    @TempDir
    private Path scratch;

    static List<GoldenCase> cases() throws IOException {
        return GoldenCase.all();
    }

    @ParameterizedTest
    @MethodSource("cases")
    void givesThePatchOfTheResponse(GoldenCase golden) throws IOException {
        JsonNode expected = golden.response();

        Cli explained = explain(golden, "patch");

        assertThat(JSON.readTree(explained.out())).isEqualTo(unstamped(expected.path("patch")));
        assertThat(explained.out().lines()).hasSize(1);
        assertThat(explained.code()).isEqualTo(expected.path("allowed").asBoolean() ? 0 : 1);
    }

    /** Nothing is reserved for a pod that is only explained. */
    private static ArrayNode unstamped(JsonNode patch) {
        ArrayNode rest = JSON.createArrayNode();
        for (JsonNode step : patch) {
            if (!step.toString().contains("<stamp>")) {
                rest.add(step);
            }
        }
        return rest;
    }

    @ParameterizedTest
    @MethodSource("cases")
    void saysWhatTheResponseSays(GoldenCase golden) throws IOException {
        JsonNode expected = golden.response();

        JsonNode pod = JSON.readTree(explain(golden, "json").out()).path("pods").path(0);

        JsonNode audit = expected.path("auditAnnotations");
        if (audit.isMissingNode()) {
            assertThat(pod.path("decision").asText()).isIn("noGpu", "passed");
        } else {
            assertThat(pod.path("decision")).isEqualTo(audit.path("decision"));
            assertThat(pod.path("reason")).isEqualTo(audit.path("reason"));
        }
        if (audit.path("enforcement").asText().equals("observe")) {
            // The response hides the sentences or begins them with "would be"; explain gives them as they are recorded.
            assertThat(pod.path("enforcement").asText()).isEqualTo("observe");
            List<String> recorded = new ArrayList<>(texts(pod.path("warnings")));
            recorded.add(pod.path("message").asText());
            assertThat(texts(expected.path("warnings")))
                    .allSatisfy(sent -> assertThat(recorded)
                            .anySatisfy(line -> assertThat(line).isNotEmpty().isSubstringOf(sent)));
            return;
        }
        assertThat(texts(pod.path("warnings"))).isEqualTo(texts(expected.path("warnings")));
        assertThat(pod.path("message")).isEqualTo(expected.path("status").path("message"));
    }

    @ParameterizedTest
    @MethodSource("cases")
    void nodesSayTheSameAsTheDecision(GoldenCase golden) throws IOException {
        JsonNode pod = JSON.readTree(explain(golden, "json").out()).path("pods").path(0);

        for (JsonNode question : pod.path("asked")) {
            for (JsonNode candidate : question.path("candidates")) {
                String fate = candidate.path("fate").asText();
                List<String> answers = texts(candidate.path("nodes").findValues("answer"));
                boolean fits = answers.contains("fits") || answers.contains("preemptible");
                if (!fate.equals("notNeeded")) {
                    assertThat(fits)
                            .as("%s", candidate)
                            .isEqualTo(!Set.of("notOffered", "exhausted", "awaited", "uncertain")
                                    .contains(fate));
                    assertThat(answers.contains("mayFit") || !fate.equals("uncertain"))
                            .as("%s", candidate)
                            .isTrue();
                }
            }
        }
    }

    @ParameterizedTest
    @MethodSource("cases")
    void allThatIsTakenHasAHolder(GoldenCase golden) throws IOException {
        JsonNode pod = JSON.readTree(explain(golden, "json").out()).path("pods").path(0);

        for (JsonNode list : pod.findValues("short")) {
            for (JsonNode shortage : list) {
                double held = 0;
                for (JsonNode holder : shortage.path("heldBy")) {
                    held += holder.path("amount").asDouble();
                }
                double taken = shortage.path("allocatable").asDouble()
                        - shortage.path("available").asDouble();
                // Of a node that is too small nobody needs to hold anything, and more may be given than there is.
                if (shortage.path("available").asDouble() > 0) {
                    assertThat(held).as("%s", shortage).isEqualTo(taken, within(1e-6));
                } else if (shortage.has("heldBy")) {
                    assertThat(held).as("%s", shortage).isGreaterThanOrEqualTo(taken);
                }
            }
        }
    }

    @ParameterizedTest
    @MethodSource("cases")
    void textFitsTheTerminal(GoldenCase golden) throws IOException {
        Cli explained = explain(golden, "text");

        assertThat(explained.err()).isEmpty();
        assertThat(explained.out()).startsWith("Pod ");
        assertThat(explained.out().lines().filter(ExplainGoldenTest::canBeBroken))
                .allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(100));
    }

    /** A word such as the name of a strange resource may be too long for any line. */
    private static boolean canBeBroken(String line) {
        return Stream.of(line.split(" ", -1)).allMatch(word -> word.length() < 50);
    }

    private static List<String> texts(Iterable<JsonNode> values) {
        List<String> texts = new ArrayList<>();
        values.forEach(value -> texts.add(value.asText()));
        return texts;
    }

    private Cli explain(GoldenCase golden, String output) throws IOException {
        List<Object> arguments =
                new ArrayList<>(List.of("explain", "--cluster-snapshot", golden.cluster(), "-o", output));
        arguments.addAll(golden.question(scratch));
        golden.gateway().ifPresent(gateway -> arguments.addAll(List.of("--config", gateway)));
        return Cli.run(arguments.toArray());
    }
}
