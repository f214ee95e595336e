package dev.sluice.webhook;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.stream.Stream;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** No review holds an event loop for long, whatever its shape and size. */
@ExtendWith(GatewayExtension.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class HeldLoopTest {

    /** The compiler needs to see each shape before the figure is that of a gateway that runs. */
    private static final int ROUNDS = 4;

    private final TestGateway gateway;

    HeldLoopTest(TestGateway gateway) {
        this.gateway = gateway;
    }

    static Stream<Arguments> reviews() {
        return Stream.of(ReviewWorkers.AT_ONCE, 250_000, 1_500_000, 4_500_000)
                .flatMap(size -> HostileShapes.ofSize(size - 1_200).entrySet().stream()
                        .map(shape -> Arguments.of(shape.getKey(), size, shape.getValue())));
    }

    @ParameterizedTest(name = "{0} of {1} bytes")
    @MethodSource("reviews")
    void isNotHeldForLong(String shape, int size, String review) throws Exception {
        byte[] request =
                Requests.postTo("/mutate?timeout=30s", "application/json", review.getBytes(StandardCharsets.UTF_8));
        Duration longest = Duration.ZERO;
        try (RawClient client = gateway.connect()) {
            for (int round = 0; round < ROUNDS; round++) {
                gateway.roundTrip();
                var _ = gateway.loop.longest();
                assertThat(client.send(request).read().status()).isEqualTo(200);
                gateway.roundTrip();
                longest = gateway.loop.longest();
            }
        }
        assertThat(longest).as(shape).isLessThan(GatewayExtension.LONGEST);
    }
}
