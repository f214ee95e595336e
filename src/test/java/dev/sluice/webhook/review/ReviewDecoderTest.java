package dev.sluice.webhook.review;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.params.ParameterizedTest;
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
}
