package dev.sluice.webhook;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.google.errorprone.annotations.CanIgnoreReturnValue;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** One answer as it came; names of headers are in lower case. */
public record Reply(int status, Map<String, String> headers, String body) {

    /** Takes nothing but one document without any key twice. */
    private static final JsonMapper STRICT = JsonMapper.builder()
            .enable(JsonParser.Feature.STRICT_DUPLICATE_DETECTION)
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .build();

    public String header(String name) {
        return headers.getOrDefault(name, "");
    }

    /** The response object of a well-formed AdmissionReview with this uid. */
    JsonNode response(String uid) throws JsonProcessingException {
        assertThat(status).as(body).isEqualTo(200);
        assertThat(header("content-type")).isEqualTo("application/json");
        JsonNode review = STRICT.readTree(body);
        assertThat(review.path("apiVersion").asText()).isEqualTo("admission.k8s.io/v1");
        assertThat(review.path("kind").asText()).isEqualTo("AdmissionReview");
        assertThat(review.path("response").path("uid").asText()).isEqualTo(uid);
        assertThat(review.path("response").has("patch"))
                .isEqualTo(review.path("response").has("patchType"));
        return review.path("response");
    }

    /** The patch, decoded. */
    public JsonNode patch(String uid) throws IOException {
        return STRICT.readTree(response(uid).path("patch").binaryValue());
    }

    List<String> warnings(String uid) throws JsonProcessingException {
        List<String> warnings = new ArrayList<>();
        response(uid).path("warnings").forEach(warning -> warnings.add(warning.asText()));
        return warnings;
    }

    /** Allowed and not a word about it. */
    void isSilent(String uid) throws JsonProcessingException {
        assertThat(response(uid).toString()).isEqualTo("{\"uid\":\"" + uid + "\",\"allowed\":true}");
    }

    /** Allowed as written, with this warning. */
    void isLeftAlone(String uid, String warning) throws JsonProcessingException {
        JsonNode response = response(uid);
        assertThat(response.path("allowed").asBoolean()).isTrue();
        assertThat(response.has("patch")).isFalse();
        assertThat(warnings(uid)).singleElement().asString().contains(warning);
    }

    /** An HTTP error and one plain sentence. */
    @CanIgnoreReturnValue
    public Reply isRefused(int expected, String sentence) {
        assertThat(status).as(body).isEqualTo(expected);
        assertThat(header("content-type")).isEqualTo("text/plain; charset=utf-8");
        assertThat(body).contains(sentence).matches("[\\x20-\\x7e]{10,200}\n");
        return this;
    }
}
