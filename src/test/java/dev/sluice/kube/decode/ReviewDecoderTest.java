package dev.sluice.kube.decode;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ReviewDecoderTest {

    /** The memory of a body is used again when its stream is closed. */
    @ParameterizedTest
    @ValueSource(strings = {"", "{", "[1, 2]", "{} {}", "{\"request\": \u0000}", "{\"kind\": \"\u00ff\"}"})
    void aStreamIsClosedWhateverIsInIt(String body) {
        AtomicBoolean closed = new AtomicBoolean();
        ByteArrayInputStream stream = new ByteArrayInputStream(body.getBytes(UTF_8)) {
            @Override
            public void close() {
                closed.set(true);
            }
        };

        assertThatThrownBy(() -> new ReviewDecoder().decode(stream)).isInstanceOf(NotAReviewException.class);

        assertThat(closed).isTrue();
    }

    private static final String MARK = "{\"metadata\":{\"annotations\":{\"kubernetes.io/config.mirror\":\"1\"}},"
            + "\"spec\":{\"containers\":[]}}";

    private static final String NODE =
            "{\"username\":\"system:node:a\",\"groups\":[\"system:authenticated\",\"system:nodes\"]}";

    /** A user that cannot be read is no reason to refuse a review: it is then no node. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{\"username\":\"system:node:a\",\"groups\":[\"system:nodes\"]}                  | false",
                "{\"groups\":[\"system:nodes\"],\"extra\":{},\"username\":\"system:node:a\"}     | false",
                "{\"username\":\"system:node:a\",\"groups\":[\"system:nodes:x\",7,null]}         | true",
                "{\"username\":\"system:node:a\",\"groups\":\"system:nodes\"}                    | true",
                "{\"username\":\"system:node\",\"groups\":[\"system:nodes\"]}                    | true",
                "{\"username\":7,\"groups\":[\"system:nodes\"]}                                  | true",
                "{\"username\":\"alice\",\"groups\":[\"system:nodes\"]}                          | true",
                "7                                                                               | true",
                "null                                                                            | true",
                "{}                                                                              | true"
            })
    void aMirrorPodIsOneThatANodeMakes(String user, boolean decided) throws Exception {
        assertThat(review("\"userInfo\":" + user + ",\"object\":" + MARK).isToBeDecided())
                .isEqualTo(decided);
        assertThat(review("\"object\":" + MARK + ",\"userInfo\":" + user).isToBeDecided())
                .isEqualTo(decided);
    }

    @Test
    void aPodOfANodeWithoutTheMarkIsDecided() throws Exception {
        String plain = MARK.replace("kubernetes.io/config.mirror", "kubernetes.io/config.source");

        assertThat(review("\"userInfo\":" + NODE + ",\"object\":" + plain).isToBeDecided())
                .isTrue();
    }

    private static AdmissionReview review(String fields) throws NotAReviewException {
        return new ReviewDecoder()
                .decode(
                        ("{\"apiVersion\":\"admission.k8s.io/v1\",\"kind\":\"AdmissionReview\",\"request\":{\"uid\":\"u\","
                                        + "\"kind\":{\"group\":\"\",\"version\":\"v1\",\"kind\":\"Pod\"},\"operation\":\"CREATE\","
                                        + fields + "}}")
                                .getBytes(UTF_8));
    }
}
