package dev.sluice.webhook;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_16;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import java.nio.charset.Charset;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Bodies that are not exactly one review in UTF-8: 400 and one plain sentence. */
@ExtendWith(GatewayExtension.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class NotAReviewTest {

    private static final String REVIEW = Requests.REVIEW;
    private static final String BROKEN = "is not one JSON document: it breaks at line 1, column ";

    private final TestGateway gateway;

    NotAReviewTest(TestGateway gateway) {
        this.gateway = gateway;
    }

    @AfterEach
    void servesTheNextOne() throws Exception {
        gateway.stillServes();
    }

    static Stream<Arguments> notJson() {
        return Stream.of(
                argumentSet("second document", REVIEW + REVIEW, "goes on after the end"),
                argumentSet("trailing number", REVIEW + " 1", "goes on after the end"),
                argumentSet("trailing word", REVIEW + "x", BROKEN),
                argumentSet("trailing brace", REVIEW + "}", BROKEN),
                argumentSet("trailing comma", REVIEW + ",", BROKEN),
                argumentSet("NUL at the end", REVIEW + "\0", BROKEN),
                argumentSet("cut short", REVIEW.substring(0, REVIEW.length() - 1), BROKEN),
                argumentSet("cut in a name", REVIEW.substring(0, 5), BROKEN),
                argumentSet("NaN", REVIEW.replace("false", "NaN"), BROKEN),
                argumentSet("Infinity", REVIEW.replace("false", "-Infinity"), BROKEN),
                argumentSet("NaN where nobody reads", field("NaN"), BROKEN),
                argumentSet("Infinity where nobody reads", field("Infinity"), BROKEN),
                argumentSet("hexadecimal", field("0x10"), BROKEN),
                argumentSet("leading zero", field("01"), BROKEN),
                argumentSet("leading plus", field("+1"), BROKEN),
                argumentSet("bare point", field("1."), BROKEN),
                argumentSet("line break in a string", field("\"a\nb\""), "it breaks at line"),
                argumentSet("unknown escape", field("\"\\x41\""), BROKEN),
                argumentSet("half an escape", field("\"\\u12\""), BROKEN),
                argumentSet("block comment", "/* hello */" + REVIEW, BROKEN),
                argumentSet("line comment", "// hello\n" + REVIEW, "it breaks at line 1"),
                argumentSet("hash comment", "# hello\n" + REVIEW, BROKEN),
                argumentSet("single quotes", "{'kind':'AdmissionReview'}", BROKEN),
                argumentSet("bare names", "{kind:1}", BROKEN),
                argumentSet("comma before the end", "{\"kind\":1,}", BROKEN),
                argumentSet("comma twice", "{\"kind\":1,,\"a\":1}", BROKEN),
                argumentSet("no comma", "{\"kind\":1 \"a\":1}", BROKEN),
                argumentSet("wrong bracket", field("[1}"), BROKEN),
                argumentSet("YAML", "kind: AdmissionReview", BROKEN),
                argumentSet("10,200 deep", deep(10_200), "nests deeper than 10100 levels"),
                argumentSet("100,000 deep", deep(100_000), "nests deeper"),
                argumentSet("100,000 deep from the start", "[".repeat(100_000), "nests deeper"),
                argumentSet("100,000 maps deep", "{\"a\":".repeat(100_000), "nests deeper"),
                argumentSet("300 KB of digits", field("9".repeat(300_000)), "more than 1000 digits"),
                argumentSet("byte order mark", "\ufeff" + REVIEW, BROKEN),
                argumentSet("form feed as white space", "\f" + REVIEW, BROKEN));
    }

    private static String field(String value) {
        return REVIEW.replace("\"dryRun\":", "\"unknown\":" + value + ",\"dryRun\":");
    }

    private static String deep(int levels) {
        return field("[".repeat(levels) + "]".repeat(levels));
    }

    @ParameterizedTest
    @MethodSource("notJson")
    void refusesWhatIsNotOneJsonDocument(String body, String sentence) throws Exception {
        gateway.review(body).isRefused(400, sentence);
    }

    static Stream<Arguments> notUtf8() {
        return Stream.of(
                argumentSet("UTF-16", (Object) REVIEW.getBytes(UTF_16)),
                argumentSet("UTF-32", (Object) REVIEW.getBytes(Charset.forName("UTF-32"))),
                argumentSet("overlong slash", (Object) raw("\u00c0\u00af")),
                argumentSet("overlong NUL", (Object) raw("\u00c0\u0080")),
                argumentSet("overlong in three bytes", (Object) raw("\u00e0\u0080\u00af")),
                argumentSet("encoded surrogate", (Object) raw("\u00ed\u00a0\u0080")),
                argumentSet("encoded pair of surrogates", (Object) raw("\u00ed\u00a0\u00bd\u00ed\u00b8\u0080")),
                argumentSet("beyond Unicode", (Object) raw("\u00f4\u0090\u0080\u0080")),
                argumentSet("lone continuation", (Object) raw("\u0080")),
                argumentSet("Latin-1", (Object) raw("\u00fc")),
                argumentSet("byte FF", (Object) raw("\u00ff")),
                argumentSet("cut sequence inside", (Object) raw("\u00e2\u0082")),
                argumentSet("cut sequence at the end", (Object) (REVIEW + "\u00e2\u0082").getBytes(ISO_8859_1)),
                argumentSet("in a name of a field", (Object)
                        REVIEW.replace("\"dryRun\"", "\"\u00ff\":1,\"dryRun\"").getBytes(ISO_8859_1)),
                argumentSet("in the pod's name", (Object)
                        REVIEW.replace("train", "tr\u00e4in").getBytes(ISO_8859_1)));
    }

    private static byte[] raw(String bytes) {
        return field('"' + bytes + '"').getBytes(ISO_8859_1);
    }

    @ParameterizedTest
    @MethodSource("notUtf8")
    void refusesWhatIsNotUtf8(byte[] body) throws Exception {
        gateway.ask(Requests.post(body)).isRefused(400, "the body is not ");
    }

    static Stream<Arguments> notAReview() {
        String uid = "\"uid\":\"" + Requests.UID + "\"";
        return Stream.of(
                argumentSet("nothing", "", "the body is empty"),
                argumentSet("blanks", " \r\n\t ", "not an AdmissionReview"),
                argumentSet("null", "null", "not an AdmissionReview"),
                argumentSet("number", "1", "not an AdmissionReview"),
                argumentSet("string", "\"AdmissionReview\"", "not an AdmissionReview"),
                argumentSet("list", "[" + REVIEW + "]", "not an AdmissionReview"),
                argumentSet("empty map", "{}", "not an AdmissionReview"),
                argumentSet("a pod", Requests.POD, "not an AdmissionReview"),
                argumentSet("kind in lower case", REVIEW.replace("AdmissionReview", "admissionreview"), "not an Admis"),
                argumentSet("kind null", REVIEW.replace("\"AdmissionReview\"", "null"), "not an AdmissionReview"),
                argumentSet("kind a list", REVIEW.replace("\"AdmissionReview\"", "[]"), "not an AdmissionReview"),
                argumentSet(
                        "v1beta1", REVIEW.replace(".io/v1", ".io/v1beta1"), "not of apiVersion admission.k8s.io/v1"),
                argumentSet("no apiVersion", REVIEW.replace("apiVersion", "version"), "not of apiVersion"),
                argumentSet("no request", REVIEW.replace("\"request\"", "\"response\""), "has no request"),
                argumentSet("request null", envelope("null"), "has no request"),
                argumentSet("request a list", envelope("[]"), "the request has no uid"),
                argumentSet("request a string", envelope("\"x\""), "the request has no uid"),
                argumentSet("request empty", envelope("{}"), "the request has no uid"),
                argumentSet("no uid", REVIEW.replace("\"uid\"", "\"id\""), "the request has no uid"),
                argumentSet("uid empty", REVIEW.replace(Requests.UID, ""), "the request has no uid"),
                argumentSet("uid null", REVIEW.replace(uid, "\"uid\":null"), "uid is not a string"),
                argumentSet("uid a number", REVIEW.replace(uid, "\"uid\":17"), "uid is not a string"),
                argumentSet("uid a map", REVIEW.replace(uid, "\"uid\":{\"a\":1}"), "uid is not a string"),
                argumentSet("dryRun a string", REVIEW.replace("false", "\"false\""), "dryRun is not true or false"),
                argumentSet("operation a list", REVIEW.replace("\"CREATE\"", "[]"), "operation is not a string"));
    }

    private static String envelope(String request) {
        return "{\"kind\":\"AdmissionReview\",\"apiVersion\":\"admission.k8s.io/v1\",\"request\":" + request + "}";
    }

    @ParameterizedTest
    @MethodSource("notAReview")
    void refusesWhatIsNoReview(String body, String sentence) throws Exception {
        gateway.review(body).isRefused(400, sentence);
    }

    static Stream<Arguments> keysThatStandTwice() {
        return Stream.of(
                argumentSet("apiVersion", "\"request\":", "\"apiVersion\":\"admission.k8s.io/v1\",\"request\":"),
                argumentSet("kind", "\"request\":", "\"kind\":\"AdmissionReview\",\"request\":"),
                argumentSet("request", "\"request\":", "\"request\":{},\"request\":"),
                argumentSet("uid", "\"dryRun\":", "\"uid\":\"other\",\"dryRun\":"),
                argumentSet("request.kind", "\"dryRun\":", "\"kind\":{\"kind\":\"Service\"},\"dryRun\":"),
                argumentSet("request.kind.kind", "\"kind\":\"Pod\"", "\"kind\":\"Pod\",\"kind\":\"Node\""),
                argumentSet("operation", "\"dryRun\":", "\"operation\":\"DELETE\",\"dryRun\":"),
                argumentSet("namespace", "\"dryRun\":", "\"namespace\":\"other\",\"dryRun\":"),
                argumentSet("dryRun", "\"dryRun\":", "\"dryRun\":true,\"dryRun\":"),
                argumentSet("object", "\"dryRun\":", "\"object\":null,\"dryRun\":"),
                argumentSet("subResource", "\"dryRun\":", "\"subResource\":\"\",\"subResource\":\"\",\"dryRun\":"));
    }

    /** Readers differ in which of two they believe; an answer for the wrong one would be worse than none. */
    @ParameterizedTest
    @MethodSource("keysThatStandTwice")
    void refusesKeysThatStandTwice(String where, String twice) throws Exception {
        gateway.review(REVIEW.replace(where, twice)).isRefused(400, " twice");
    }
}
