package dev.sluice.webhook;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.tls.TlsEngine;
import java.net.Socket;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Nothing but TLS is spoken on the port of the webhook. */
class GatewayTlsTest {

    @ParameterizedTest
    @EnumSource
    void servesWithEitherEngine(TlsEngine engine) throws Exception {
        try (TestGateway gateway = TestGateway.start(engine, TestGateway::decisions)) {
            gateway.stillServes();
            String large = " ".repeat(1_000_000);
            assertThat(gateway.review(large + Requests.REVIEW).patch(Requests.UID))
                    .isNotEmpty();
        }
    }

    @ParameterizedTest
    @EnumSource
    void closesAConnectionWithoutTls(TlsEngine engine) throws Exception {
        try (TestGateway gateway = TestGateway.start(engine, TestGateway::decisions)) {
            for (byte[] bytes : new byte[][] {Requests.post(Requests.REVIEW), new byte[1000]}) {
                try (RawClient plain = new RawClient(new Socket("localhost", gateway.port()))) {
                    assertThat(plain.send(bytes).endsWithoutAWord()).isTrue();
                }
            }
            gateway.stillServes();
        }
    }

    @Test
    void survivesClientsThatVanishInTheHandshake() throws Exception {
        try (TestGateway gateway = TestGateway.start()) {
            for (int i = 0; i < 50; i++) {
                try (RawClient client = new RawClient(new Socket("localhost", gateway.port()))) {
                    client.send(new byte[] {0x16, 3, 1, 2, 0, 1}).vanish();
                }
            }
            gateway.stillServes();
        }
    }
}
