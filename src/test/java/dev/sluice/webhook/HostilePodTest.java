package dev.sluice.webhook;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import java.util.Collections;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Pods as nobody in their right mind writes them. */
@ExtendWith(GatewayExtension.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class HostilePodTest {

    private static final String GPU = "\"nvidia.com/mig-2g.20gb\":\"1\"";

    private final TestGateway gateway;

    HostilePodTest(TestGateway gateway) {
        this.gateway = gateway;
    }

    @AfterEach
    void servesTheNextOne() throws Exception {
        gateway.stillServes();
    }

    private Reply ask(String pod) throws Exception {
        return gateway.review(Requests.review("u", pod));
    }

    /** A pod whose containers are all like this one, but for its name. */
    private static String containers(int count, String inside) {
        return IntStream.range(0, count)
                .mapToObj(i -> "{\"name\":\"c" + i + "\"," + inside + "}")
                .collect(Collectors.joining(",", "{\"metadata\":{},\"spec\":{\"containers\":[", "]}}"));
    }

    @Test
    void movesFiftyContainers() throws Exception {
        String none = containers(50, "\"resources\":{\"limits\":{\"nvidia.com/mig-2g.20gb\":\"0\"}}");
        String eight = containers(50, "\"resources\":{}")
                .replaceAll(
                        "(\"c[0-7]\"),\"resources\":\\{}",
                        "$1,\"resources\":{\"limits\":{" + GPU + "},\"requests\":{" + GPU + "}}");

        assertThat(ask(none).response("u")).hasSize(2);
        assertThat(ask(eight).patch("u")).hasSize(8 * 4 + 1);
    }

    @Test
    void takesTwoHundredKilobytesOfEnvironment() throws Exception {
        String variables = IntStream.range(0, 2_000)
                .mapToObj(i -> "{\"name\":\"V" + i + "\",\"value\":\"" + "\u00fc\\\"x".repeat(25) + "\"}")
                .collect(Collectors.joining(",", "\"env\":[", "],"));

        assertThat(ask(Requests.POD.replace("\"resources\"", variables + "\"resources\""))
                        .patch("u"))
                .isNotEmpty();
    }

    /** Names of environment variables have no limit, and managedFields repeats them in keys. */
    @Test
    void takesKeysAsLongAsAnyNameInAPod() throws Exception {
        String managed = "\"managedFields\":[{\"fieldsV1\":{\"k:{" + "x".repeat(400_000) + "}\":{}}}],";

        assertThat(ask(Requests.POD.replace("\"metadata\":{", "\"metadata\":{" + managed))
                        .patch("u"))
                .isNotEmpty();
    }

    /** The API server stores {@code managedFields} that nest thousands of levels deep. */
    @ParameterizedTest
    @ValueSource(ints = {240, 3_000, 9_900})
    void takesUnknownFieldsThatNestDeeply(int levels) throws Exception {
        String deep = "\"x\":" + "[".repeat(levels) + "{}" + "]".repeat(levels) + ",";

        assertThat(ask(Requests.POD.replace("\"containers\"", deep + "\"containers\""))
                        .patch("u"))
                .isNotEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "\"1e2147483647\"",
                "\"1e2147483648\"",
                "\"1e99999999999999999999\"",
                "\"1e-2147483648\"",
                "\"-1e2147483647\"",
                "1e2147483647",
                "1E999999999",
                "-1",
                "1.5",
                "\"9223372036854775808\"",
                "\"9223372036854775807Ei\"",
                "\"0.000000000000000001\"",
                "\"1n\"",
                "\"+\"",
                "\"Ki\"",
                "true",
                "null",
                "\"\\u0661\"",
                "\"1\\u0000\"",
                "\" 1 \"",
                "\"1 1\"",
                "\"0x1\"",
                "\"NaN\"",
                "\"Infinity\"",
                "\"1_0\""
            })
    void answersWhateverTheQuantity(String quantity) throws Exception {
        String asked = "{\"nvidia.com/mig-2g.20gb\":" + quantity + "}";

        assertThat(ask(Requests.pod(asked)).response("u").path("allowed").asBoolean())
                .isTrue();
        assertThat(ask(Requests.pod("{\"nvidia.com/gpu\":\"1\"," + asked.substring(1)))
                        .response("u")
                        .path("allowed")
                        .asBoolean())
                .isTrue();
        assertThat(ask(Requests.pod("{\"cpu\":" + quantity + "," + GPU + "}"))
                        .response("u")
                        .path("allowed")
                        .asBoolean())
                .isTrue();
    }

    static Stream<Arguments> digits() {
        return Stream.of(
                argumentSet("400 digits", "9".repeat(400), "kept"),
                argumentSet("300 KB of digits", "9".repeat(300_000), "kept"),
                argumentSet("400 zeros and a one", "0".repeat(400) + "1", "changed"),
                argumentSet("400 decimals", "0." + "1".repeat(400), "untouched"));
    }

    /** The API server takes them, so they are decided as what they are. */
    @ParameterizedTest
    @MethodSource("digits")
    void decidesAboutAnEndlessQuantity(String quantity, String decision) throws Exception {
        Reply reply = ask(Requests.pod("{\"nvidia.com/mig-2g.20gb\":\"" + quantity + "\"}"));

        assertThat(reply.response("u").path("allowed").asBoolean()).isTrue();
        assertThat(reply.response("u").path("auditAnnotations").path("decision").asText())
                .isEqualTo(decision);
    }

    @Test
    void leavesAPodAloneWithAnEndlessExponent() throws Exception {
        ask(Requests.pod("{\"nvidia.com/mig-2g.20gb\":\"1e" + "9".repeat(300_000) + "\"}"))
                .isLeftAlone("u", "is not a quantity");
    }

    /** Sums that overflow must not look small. */
    @Test
    void givesNothingForASumBeyondAllNumbers() throws Exception {
        String half = "{\"nvidia.com/mig-2g.20gb\":\"9223372036854775807\"}";
        String pod = containers(3, "\"resources\":{\"limits\":" + half + ",\"requests\":" + half + "}");

        assertThat(ask(pod).response("u").has("patch")).isFalse();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "\\u0000",
                "\\n\\r",
                "\\u001b[31m",
                "\\ud800",
                "\\u202e",
                "\\\"",
                "../../x",
                "<b>",
                "{}",
                "%s",
                "${x}"
            })
    void warnsOnOneLegalLineWhateverTheName(String name) throws Exception {
        Reply reply = ask(Requests.POD.replace("[{\"name\":\"train", "[{\"name\":\"a" + name + "b"));

        assertThat(reply.patch("u")).isNotEmpty();
        assertThat(reply.warnings("u")).singleElement().asString().matches("[^\\p{C}\\p{Zl}\\p{Zp}]{20,240}");
    }

    @Test
    void warnsInFewWordsWhateverTheName() throws Exception {
        Reply reply = ask(Requests.POD.replace("[{\"name\":\"train", "[{\"name\":\"" + "\ud83d\ude00".repeat(100_000)));

        assertThat(reply.warnings("u")).singleElement().asString().hasSizeLessThanOrEqualTo(240);
    }

    @ParameterizedTest
    @ValueSource(ints = {20_000, 40_000})
    void answersSoonThoughThePodAsksForThousandsOfResources(int count) throws Exception {
        String many = IntStream.range(0, count)
                .mapToObj(i -> "{\"name\":\"c\",\"resources\":{\"limits\":{\"nvidia.com/mig-" + i + "\":\"1\"}}}")
                .collect(Collectors.joining(","));

        Reply reply = ask("{\"spec\":{\"containers\":[" + many + "]}}");

        assertThat(reply.response("u").path("allowed").asBoolean()).isTrue();
        assertThat(reply.body()).hasSizeLessThan(100_000);
    }

    /** Names with one hash code, which a naive table would search one by one. */
    @Test
    void answersSoonThoughAllNamesCollide() throws Exception {
        String zeros = colliding("0", "," + GPU);
        ask(Requests.pod(colliding("1", "," + GPU))).isLeftAlone("u", "more than 4096 amounts of resources");
        assertThat(ask(Requests.pod(zeros)).patch("u")).isNotEmpty();
        ask(Requests.POD.replace("\"containers\"", "\"nodeSelector\":" + colliding("1", "") + ",\"containers\""))
                .isLeftAlone("u", "where this pod may run cannot be evaluated: its nodeSelector");
    }

    private static String colliding(String value, String more) {
        return IntStream.range(0, 1 << 15)
                .mapToObj(i -> "\""
                        + String.format("%15s", Integer.toBinaryString(i))
                                .replace("0", "Aa")
                                .replace("1", "BB")
                                .replace(" ", "Aa")
                        + "\":\"" + value + "\"")
                .collect(Collectors.joining(",", "{", more + "}"));
    }

    @ParameterizedTest
    @ValueSource(ints = {2_048, 200_000})
    void decidesAboutAPodBesideNamesOfWhichItAsksNothing(int names) throws Exception {
        String zeros = IntStream.range(0, names)
                .mapToObj(i -> "\"a.b/x" + i + "\":\"0\"")
                .collect(Collectors.joining(",", "{", "," + GPU + "}"));

        Reply reply = ask(Requests.pod(zeros));

        assertThat(reply.patch("u"))
                .isEqualTo(ask(Requests.pod("{" + GPU + "}")).patch("u"));
        ask(Requests.pod(zeros.replace("{\"a.b/x7\"", "{\"a.b/x8\"").replace("\"a.b/x1000\"", "\"a.b/x1001\"")))
                .isLeftAlone("u", "twice");
    }

    /** Only what asks for something is of any interest, and three characters are enough for a container. */
    @Test
    void decidesAboutAPodBesideContainersThatAskForNothing() throws Exception {
        String empty = "{},".repeat(200_000);

        Reply reply = ask(Requests.POD.replace("\"containers\":[", "\"containers\":[" + empty));

        assertThat(reply.patch("u").toString()).contains("/spec/containers/200000/resources/limits");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "\"tolerations\":[%s]|{}",
                "\"affinity\":{\"nodeAffinity\":{\"requiredDuringSchedulingIgnoredDuringExecution\":{\"nodeSelectorTerms\":[%s]}}}|{}",
                "\"affinity\":{\"nodeAffinity\":{\"requiredDuringSchedulingIgnoredDuringExecution\":{\"nodeSelectorTerms\":"
                        + "[{\"matchExpressions\":[{\"key\":\"k\",\"operator\":\"In\",\"values\":[%s]}]}]}}}|\"v\""
            })
    void leavesAPodAloneThatMayRunWhereNobodyCanSay(String field) throws Exception {
        String[] parts = field.split("\\|", -1);
        String many = String.join(",", Collections.nCopies(100_000, parts[1]));
        String pod = Requests.POD.replace("\"containers\"", parts[0].formatted(many) + ",\"containers\"");

        ask(pod).isLeftAlone("u", "where this pod may run cannot be evaluated");
        assertThat(ask(pod.replaceAll("nvidia.com/[a-z0-9.-]*", "cpu")).warnings("u"))
                .isEmpty();
    }
}
