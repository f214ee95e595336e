package dev.sluice.webhook;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** How bytes come in: in pieces, several requests at once, cut off, or made to be understood in two ways. */
@ExtendWith(GatewayExtension.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class FramingTest {

    private static final byte[] REVIEW = Requests.REVIEW.getBytes(UTF_8);

    private final TestGateway gateway;

    FramingTest(TestGateway gateway) {
        this.gateway = gateway;
    }

    @AfterEach
    void servesTheNextOne() throws Exception {
        gateway.stillServes();
    }

    @Test
    void takesARequestThatComesOneByteAtATime() throws Exception {
        try (RawClient client = gateway.connect()) {
            for (byte one : Requests.post(REVIEW)) {
                client.send(new byte[] {one});
            }
            assertThat(client.read().patch(Requests.UID)).isNotEmpty();
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 7, 1000})
    void takesChunks(int size) throws Exception {
        assertThat(gateway.ask(Requests.chunked(REVIEW, size)).patch(Requests.UID))
                .isNotEmpty();
    }

    @Test
    void takesALargeBodyInTinyChunks() throws Exception {
        byte[] large = Requests.review(
                        Requests.UID, Requests.POD.replace("{\"metadata", " ".repeat(200_000) + "{\"metadata"))
                .getBytes(UTF_8);

        assertThat(gateway.ask(Requests.chunked(large, 3)).patch(Requests.UID)).isNotEmpty();
    }

    @Test
    void answersRequestsInOneWriteInTheirOrder() throws Exception {
        try (RawClient client = gateway.connect()) {
            client.send(Requests.join(
                    Requests.post(Requests.review("first", Requests.POD)),
                    Requests.post("not JSON"),
                    Requests.head("GET /healthz").getBytes(UTF_8),
                    Requests.post(Requests.review("second", "null")),
                    Requests.chunked(Requests.review("third", Requests.POD).getBytes(UTF_8), 9)));

            assertThat(client.read().patch("first")).isNotEmpty();
            client.read().isRefused(400, "the body is not one JSON document");
            assertThat(client.read().body()).isEqualTo("ok\n");
            client.read().isLeftAlone("second", "holds no pod");
            assertThat(client.read().patch("third")).isNotEmpty();
        }
    }

    @Test
    void answersNothingAfterARefusalThatEndsTheConnection() throws Exception {
        try (RawClient client = gateway.connect()) {
            client.send(Requests.join(
                    Requests.postTo("/mutate", "text/plain", REVIEW), Requests.post(REVIEW), Requests.post(REVIEW)));

            Reply reply = client.read().isRefused(415, "must be application/json");
            assertThat(reply.header("connection")).isEqualTo("close");
            assertThat(client.isClosed()).isTrue();
        }
    }

    @Test
    void answersEachOfManyRequestsInOneWrite() throws Exception {
        int many = 300;
        StringBuilder requests = new StringBuilder();
        for (int i = 0; i < many; i++) {
            requests.append(new String(Requests.post(Requests.review("uid-" + i, "null")), UTF_8));
        }
        try (RawClient client = gateway.connect()) {
            client.send(requests.toString());

            for (int i = 0; i < many; i++) {
                client.read().isLeftAlone("uid-" + i, "holds no pod");
            }
        }
    }

    @Test
    void servesAThousandRequestsOfOneConnection() throws Exception {
        try (RawClient client = gateway.connect()) {
            for (int i = 0; i < 1000; i++) {
                String uid = "uid-" + i;
                assertThat(client.send(Requests.post(Requests.review(uid, "null")))
                                .read()
                                .status())
                        .isEqualTo(200);
            }
        }
    }

    @Test
    void survivesClientsThatVanish() throws Exception {
        byte[] request = Requests.post(REVIEW);
        for (int sent : List.of(0, 1, 30, request.length - REVIEW.length, request.length - 100, request.length)) {
            try (RawClient client = gateway.connect()) {
                client.send(Arrays.copyOf(request, sent)).vanish();
            }
        }
        try (RawClient client = gateway.connect()) {
            client.send(Requests.join(request, request, request)).vanish();
        }
        assertThat(gateway.told.faults).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Content-Length: 5\r\nContent-Length: 6",
                "Content-Length: 5, 6",
                "Content-Length: -1",
                "Content-Length: +5",
                "Content-Length: 0x5",
                "Content-Length: 5 5",
                "Content-Length: five",
                "Content-Length:",
                "Content-Length: 99999999999999999999",
                "Content-Length: 0\r\nTransfer-Encoding: chunked",
                "Transfer-Encoding: chunked\r\nContent-Length: 0",
                "Transfer-Encoding: identity\r\nContent-Length: 0",
                "Transfer-Encoding: chunked, identity",
                "Transfer-Encoding: xchunked",
                "Transfer-Encoding: gzip",
                "Transfer-Encoding : chunked",
                "Transfer-Encoding: chunked\r\nTransfer-Encoding: identity",
                "Transfer-Encoding:\u000bchunked",
                "Content-Length: 0\r\n folded: 1"
            })
    void neverFindsASecondRequestInAnAmbiguousOne(String framing) throws Exception {
        String hidden = Requests.head("GET /healthz");
        try (RawClient client = gateway.connect()) {
            client.send(Requests.head("POST /mutate", "Content-Type: application/json", framing)
                    + "0\r\n\r\n"
                    + hidden
                    + hidden);

            Reply reply = client.read();
            assertThat(reply.status()).isBetween(400, 501);
            assertThat(client.isClosed()).isTrue();
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "zz\r\n",
                "-1\r\n",
                "0x5\r\nhello\r\n",
                "ffffffffffffffffff\r\n",
                "5\r\nhello!!\r\n",
                "\r\n",
                "5;a=\"\r\n"
            })
    void neverAnswersABrokenChunkAsAReview(String chunk) throws Exception {
        try (RawClient client = gateway.connect()) {
            client.send(Requests.head("POST /mutate", "Content-Type: application/json", "Transfer-Encoding: chunked")
                    + chunk + "0\r\n\r\n" + Requests.head("GET /healthz"));

            assertThat(client.endsWithAtMostOneRefusal()).isTrue();
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "GET\r\n\r\n",
                "GET /healthz\r\n\r\n",
                "GET /healthz HTTP/9.9\r\n\r\n",
                "GET /healthz HTTP/x\r\n\r\n",
                "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
                "\u0000\u0001\u0002\u0003\r\n\r\n",
                "{\"kind\":\"AdmissionReview\"}\r\n\r\n",
                "GET /healthz HTTP/1.1\r\nno colon\r\n\r\n",
                "GET /healthz HTTP/1.1\r\nHost: a b\r\n\r\n",
                "GET /healthz HTTP/1.1\r\n\r\n",
                "GET /healthz HTTP/1.1\r\nbad name: x\r\n\r\n",
                "GET /healthz HTTP/1.1\r\nX: a\u0000b\r\n\r\n"
            })
    void endsTheConnectionAfterABadHead(String head) throws Exception {
        try (RawClient client = gateway.connect()) {
            client.send(head);

            assertThat(client.endsWithAtMostOneRefusal()).as(head).isTrue();
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {10_000, 1_000_000})
    void refusesALongTarget(int length) throws Exception {
        assertRefused("GET /" + "a".repeat(length) + " HTTP/1.1\r\n\r\n", 414);
    }

    @ParameterizedTest
    @ValueSource(ints = {10_000, 1_000_000})
    void refusesALongHeader(int length) throws Exception {
        assertRefused("GET /healthz HTTP/1.1\r\nX: " + "a".repeat(length) + "\r\n\r\n", 431);
    }

    @Test
    void refusesManyHeaders() throws Exception {
        assertRefused("GET /healthz HTTP/1.1\r\n" + "X: a\r\n".repeat(100_000) + "\r\n", 431);
    }

    private void assertRefused(String request, int status) throws Exception {
        try (RawClient client = gateway.connect()) {
            client.offer(request.getBytes(UTF_8));

            assertThat(client.statusOrClosed()).isIn(status, RawClient.CLOSED);
        }
    }
}
