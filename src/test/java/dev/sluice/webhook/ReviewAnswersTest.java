package dev.sluice.webhook;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What comes back for a review: one AdmissionReview with the same uid, whatever is in it. */
@ExtendWith(GatewayExtension.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ReviewAnswersTest {

    private static final String POD_KIND = "\"\",\"version\":\"v1\",\"kind\":\"Pod\"";

    private final TestGateway gateway;

    ReviewAnswersTest(TestGateway gateway) {
        this.gateway = gateway;
    }

    @Test
    void answersAReviewWithItsUidAPatchAndAWarning() throws Exception {
        Reply reply = gateway.review(Requests.REVIEW);

        assertThat(reply.response(Requests.UID).path("allowed").asBoolean()).isTrue();
        assertThat(reply.response(Requests.UID).path("patchType").asText()).isEqualTo("JSONPatch");
        assertThat(reply.patch(Requests.UID).toString())
                .contains(
                        "{\"op\":\"add\",\"path\":\"/spec/containers/0/resources/limits/nvidia.com~1gpu\",\"value\":\"1\"}");
        assertThat(reply.warnings(Requests.UID))
                .containsExactly(
                        "container train: no node offers nvidia.com/mig-2g.20gb; using nvidia.com/gpu (8 on 1 node)");
    }

    static Stream<String> uids() {
        return Stream.of(
                "\\\"",
                "\\\\",
                "\\\\u0041",
                "a\\u0000b",
                "\\n\\r\\t\\b\\f",
                "\\u007f\\u0080\\u2028\\u2029\\ufeff",
                "{\\\"uid\\\":1}",
                "</script>",
                "${jndi:ldap://x}",
                "{}",
                "%s%n",
                " ",
                "\u00fcml\u00e4ut",
                "\u65e5\u672c",
                "\ud83d\ude00",
                "\\ud83d\\ude00",
                "\\ud800",
                "\\udc00",
                "\\udc00\\ud800",
                "x\\ud800y",
                "x".repeat(10_240),
                "\ud83d\ude00".repeat(2_560));
    }

    /** Escapes included: what the JSON string means must come back, not how it was written. */
    @ParameterizedTest
    @MethodSource("uids")
    void givesBackAnyUid(String uid) throws Exception {
        String meant = meaning(uid);

        assertThat(gateway.review(Requests.review(uid, Requests.POD)).patch(meant))
                .isNotEmpty();
        assertThat(gateway.review(Requests.reviewOf(uid, POD_KIND, "DELETE", "null"))
                        .response(meant))
                .hasSize(2);
    }

    private static String meaning(String escaped) throws Exception {
        return new ObjectMapper().readValue('"' + escaped + '"', String.class);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "'','version':'v1','kind':'Service'                | CREATE",
                "'','version':'v1','kind':'pod'                    | CREATE",
                "'','version':'v1','kind':''                       | CREATE",
                "'','version':'v2','kind':'Pod'                    | CREATE",
                "'','version':'v1beta1','kind':'Pod'               | CREATE",
                "'apps','version':'v1','kind':'Deployment'         | CREATE",
                "'example.com','version':'v1','kind':'Pod'         | CREATE",
                "'','version':'v1/Pod','kind':''                   | CREATE",
                "'/v1','version':'Pod','kind':''                   | CREATE",
                "'','version':'v1','kind':'Pod'},'subResource':'binding','x':{'a':1     | CREATE",
                "'','version':'v1','kind':'Pod'},'subResource':'status','x':{'a':1      | CREATE",
                "'','version':'v1','kind':'Pod'},'subResource':'ephemeralcontainers','x':{'a':1 | UPDATE",
                "'','version':'v1','kind':'Pod'                    | UPDATE",
                "'','version':'v1','kind':'Pod'                    | DELETE",
                "'','version':'v1','kind':'Pod'                    | CONNECT",
                "'','version':'v1','kind':'Pod'                    | create",
                "'','version':'v1','kind':'Pod'                    | ''",
            },
            quoteCharacter = '`')
    void letsEverythingElsePassWithoutAWord(String kind, String operation) throws Exception {
        String body = Requests.reviewOf("u", kind.replace('\'', '"'), operation.replace("'", ""), Requests.POD);

        gateway.told.passed.clear();
        gateway.review(body).isSilent("u");
        assertThat(gateway.told.passed).containsExactly("u");
    }

    @ParameterizedTest
    @ValueSource(strings = {"null", "5", "[]", "\"pod\"", "{\"spec\":7}", "{\"spec\":{\"containers\":{}}}"})
    void passesOtherKindsWhateverTheirObjectIs(String object) throws Exception {
        gateway.review(Requests.reviewOf("u", "\"\",\"version\":\"v1\",\"kind\":\"Node\"", "CREATE", object))
                .isSilent("u");
    }

    static Stream<Arguments> pods() {
        return Stream.of(
                argumentSet("null", "null", "this review holds no pod"),
                argumentSet("number", "5", "cannot be read: the pod is not a map"),
                argumentSet("list", "[" + Requests.POD + "]", "the pod is not a map"),
                argumentSet("text", "\"pod\"", "the pod is not a map"),
                argumentSet("empty", "{}", "it has no spec.containers, expected at least one"),
                argumentSet("no containers", "{\"spec\":{}}", "it has no spec.containers, expected at least one"),
                argumentSet("spec a list", "{\"spec\":[]}", "spec is not a map"),
                argumentSet("containers a map", "{\"spec\":{\"containers\":{}}}", "spec.containers is not a list"),
                argumentSet("container null", "{\"spec\":{\"containers\":[null]}}", "spec.containers[0] is null"),
                argumentSet(
                        "container a text", "{\"spec\":{\"containers\":[\"a\"]}}", "spec.containers[0] is not a map"),
                argumentSet(
                        "resources a list",
                        Requests.POD.replace("{\"limits\"", "[{\"limits\"").replace("}}]}}", "}]}]}}"),
                        "resources is not a map"),
                argumentSet("limits a text", Requests.pod("\"1\""), "limits is not a map"),
                argumentSet(
                        "quantity a list",
                        Requests.pod("{\"nvidia.com/gpu\":[1]}"),
                        "nvidia.com/gpu is not a quantity such as 1 or 2Gi"),
                argumentSet(
                        "quantity a word",
                        Requests.pod("{\"nvidia.com/gpu\":\"many\"}"),
                        "nvidia.com/gpu is not a quantity such as 1 or 2Gi"),
                argumentSet(
                        "quantity empty",
                        Requests.pod("{\"nvidia.com/gpu\":\"\"}"),
                        "nvidia.com/gpu is not a quantity such as 1 or 2Gi"),
                argumentSet(
                        "metadata a text",
                        Requests.POD.replace("{\"name\":\"train\"},\"spec\"", "\"x\",\"spec\""),
                        "metadata is not a map"),
                argumentSet(
                        "annotation a number",
                        Requests.POD.replace("{\"name\":\"train\"},", "{\"annotations\":{\"a\":1}},"),
                        "annotation a is not a string"));
    }

    @ParameterizedTest
    @MethodSource("pods")
    void leavesAPodAloneThatItCannotRead(String object, String problem) throws Exception {
        gateway.review(Requests.review("u", object)).isLeftAlone("u", problem);
        gateway.stillServes();
    }

    @Test
    void leavesAPodAloneThatIsNotThere() throws Exception {
        gateway.review(Requests.review("u", "null").replace("\"object\":null,", ""))
                .isLeftAlone("u", "holds no pod");
    }

    static Stream<Arguments> keysThatStandTwice() {
        String gpu = "\"nvidia.com/mig-2g.20gb\":\"1\"";
        return Stream.of(
                argumentSet("metadata", "\"metadata\":", "\"metadata\":{},\"metadata\":"),
                argumentSet("spec", "\"spec\":", "\"spec\":{},\"spec\":"),
                argumentSet("containers", "\"containers\":", "\"containers\":[],\"containers\":"),
                argumentSet("nodeName", "\"containers\":", "\"nodeName\":\"a\",\"nodeName\":\"\",\"containers\":"),
                argumentSet("name of a container", "[{\"name\"", "[{\"name\":\"other\",\"name\""),
                argumentSet("restartPolicy", "[{", "[{\"restartPolicy\":\"Always\",\"restartPolicy\":\"Never\","),
                argumentSet("resources", "\"resources\":", "\"resources\":{},\"resources\":"),
                argumentSet("limits", "\"limits\":", "\"limits\":null,\"limits\":"),
                argumentSet("requests", "\"requests\":", "\"requests\":{},\"requests\":"),
                argumentSet("resource", gpu, gpu + "," + gpu),
                argumentSet("resource, once escaped", gpu, gpu + ",\"nvidia.com\\/mig-2g.20gb\":\"1\""),
                argumentSet("annotations", "\"metadata\":{", "\"metadata\":{\"annotations\":{},\"annotations\":{},"),
                argumentSet(
                        "fallback-mode",
                        "\"metadata\":{",
                        "\"metadata\":{\"annotations\":{\"gpu-webhook.k8s.io/fallback-mode\":\"keep\","
                                + "\"gpu-webhook.k8s.io/fallback-mode\":\"x\"},"));
    }

    @ParameterizedTest
    @MethodSource("keysThatStandTwice")
    void leavesAPodAloneThatHasAKeyTwice(String where, String twice) throws Exception {
        gateway.review(Requests.review("u", Requests.POD.replace(where, twice))).isLeftAlone("u", "twice");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "\"containers\":|\"volumes\":[],\"hostname\":{\"a\":1,\"a\":2},\"containers\":",
                "[{\"name\"|[{\"image\":\"a\",\"image\":\"b\",\"name\"",
                "\"metadata\":{|\"metadata\":{\"labels\":{\"a\":\"1\",\"a\":\"2\"},\"labels\":{},"
            })
    void doesNotMindKeysTwiceWhereItReadsNothing(String change) throws Exception {
        String[] parts = change.split("\\|", 2);

        JsonNode patch = gateway.review(Requests.review("u", Requests.POD.replace(parts[0], parts[1])))
                .patch("u");

        assertThat(patch).isNotEmpty();
    }

    @Test
    void readsNamesThatAreWrittenInEscapes() throws Exception {
        StringBuilder escaped = new StringBuilder();
        "nvidia.com/mig-2g.20gb".chars().forEach(c -> escaped.append("\\u%04x".formatted(c)));

        Reply reply = gateway.review(Requests.review("u", Requests.pod("{\"" + escaped + "\":\"1\"}")));

        assertThat(reply.patch("u").findValuesAsText("path"))
                .contains("/spec/containers/0/resources/limits/nvidia.com~1mig-2g.20gb");
    }
}
