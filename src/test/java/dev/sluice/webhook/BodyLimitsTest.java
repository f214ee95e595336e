package dev.sluice.webhook;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import dev.sluice.log.LogLines;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;
import org.slf4j.LoggerFactory;

/** Bodies that are too large, or too many at once; and what stays in memory after all kinds of abuse. */
@ExtendWith(GatewayExtension.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class BodyLimitsTest {

    private static final String JSON = "Content-Type: application/json";
    private static final byte[] MEGABYTE = " ".repeat(1024 * 1024).getBytes(UTF_8);
    private static final int MEGABYTES = TestGateway.MOST_BODY_BYTES / MEGABYTE.length;

    private final TestGateway gateway;

    BodyLimitsTest(TestGateway gateway) {
        this.gateway = gateway;
    }

    @AfterEach
    void servesTheNextOne() throws Exception {
        gateway.stillServes();
    }

    @Test
    void takesABodyOfJustTheLimit() throws Exception {
        String padding = " ".repeat(TestGateway.MOST_BODY_BYTES - Requests.REVIEW.length());

        assertThat(gateway.review(Requests.REVIEW + padding).patch(Requests.UID))
                .isNotEmpty();
    }

    @Test
    void refusesOneByteMoreBeforeAnyOfItIsSent() throws Exception {
        String length = "Content-Length: " + (TestGateway.MOST_BODY_BYTES + 1);

        Reply reply = gateway.ask(Requests.head("POST /mutate", JSON, length));

        reply.isRefused(413, "the body is larger than 8388608 bytes");
    }

    @Test
    void refusesBeforeItSaysContinue() throws Exception {
        String length = "Content-Length: " + Long.MAX_VALUE;

        Reply reply = gateway.ask(Requests.head("POST /mutate", JSON, length, "Expect: 100-continue"));

        reply.isRefused(413, "the body is larger than");
    }

    @Test
    void saysContinueWhereItIsWaitedFor() throws Exception {
        String length = "Content-Length: " + Requests.REVIEW.length();
        try (RawClient client = gateway.connect()) {
            client.send(Requests.head("POST /mutate", JSON, length, "Expect: 100-continue"));

            assertThat(client.read().status()).isEqualTo(100);
            assertThat(client.send(Requests.REVIEW).read().patch(Requests.UID)).isNotEmpty();
        }
    }

    @Test
    void refusesDeclaredBodiesWhileTheClientIsStillSending() throws Exception {
        try (RawClient client = gateway.connect()) {
            client.send(Requests.head("POST /mutate", JSON, "Content-Length: 1000000000"));
            for (int i = 0; i < 3 * MEGABYTES; i++) {
                client.send(MEGABYTE);
            }

            client.read().isRefused(413, "the body is larger than");
        }
    }

    @Test
    void refusesChunkedBodiesWhileTheClientIsStillSending() throws Exception {
        try (RawClient client = gateway.connect()) {
            client.send(Requests.head("POST /mutate", JSON, "Transfer-Encoding: chunked"));
            for (int i = 0; i < 2 * MEGABYTES; i++) {
                client.send("100000\r\n").send(MEGABYTE).send("\r\n");
            }

            client.read().isRefused(413, "the body is larger than");
            assertThat(client.isClosed()).isTrue();
        }
    }

    @Test
    void answersNothingThatStandsBehindABodyThatIsTooLarge() throws Exception {
        try (RawClient client = gateway.connect()) {
            client.offer(
                    Requests.join(Requests.post("x".repeat(TestGateway.MOST_BODY_BYTES + 1)), Requests.post("{}")));

            client.read().isRefused(413, "the body is larger than");
            assertThat(client.isClosed()).isTrue();
        }
    }

    /** Ten bodies of 8 MB, all but finished, are more than the 64 MB that unfinished bodies may hold. */
    @Test
    void sendsSomeAwayWhenTooManyLargeBodiesComeAtOnce() throws Exception {
        List<RawClient> clients = new ArrayList<>();
        try {
            String head = Requests.head("POST /mutate", JSON, "Content-Length: " + TestGateway.MOST_BODY_BYTES);
            gateway.told.refusals.clear();
            for (int i = 0; i < 10; i++) {
                RawClient client = gateway.connect();
                clients.add(client);
                client.offer(Requests.join(
                        head.getBytes(UTF_8), " ".repeat(7 * MEGABYTE.length).getBytes(UTF_8)));
            }
            assertThat(gateway.told.refusals.poll(10, TimeUnit.SECONDS)).isEqualTo(503);

            for (RawClient client : clients) {
                client.offer(MEGABYTE);
                Reply reply = client.read();
                if (reply.status() == 503) {
                    reply.isRefused(503, "too many large requests at once");
                    assertThat(reply.header("retry-after")).isEqualTo("1");
                } else {
                    reply.isRefused(400, "not an AdmissionReview");
                }
            }
        } finally {
            for (RawClient client : clients) {
                client.close();
            }
        }
    }

    @Test
    void keepsNothingOfTwoThousandBadRequests() throws Exception {
        abuse(100);
        long before = usedHeap();

        abuse(2000);

        assertThat(usedHeap() - before).isLessThan(8L * 1024 * 1024);
    }

    private void abuse(int times) throws Exception {
        byte[] deep = Requests.post("[".repeat(20_000));
        byte[] large = Requests.post("{\"a\":\"" + "x".repeat(100_000));
        byte[] cut = Arrays.copyOf(large, 50_000);
        try (RawClient lasting = gateway.connect()) {
            for (int i = 0; i < times; i++) {
                switch (i % 8) {
                    case 0 -> abuseAndVanish(cut);
                    case 1 -> gateway.ask(Requests.head("GET /" + i)).isRefused(404, "not found");
                    case 2, 3, 4 -> lasting.send(large).read().isRefused(400, "breaks");
                    default -> lasting.send(deep).read().isRefused(400, "nests");
                }
            }
        }
    }

    private void abuseAndVanish(byte[] cut) throws Exception {
        try (RawClient client = gateway.connect()) {
            client.send(cut).vanish();
        }
    }

    @Test
    void keepsFewAnswersForAClientThatNeverReads() throws Exception {
        byte[] requests = Requests.head("GET /healthz").repeat(500_000).getBytes(UTF_8);
        LogLines lines = new LogLines();
        Logger log = (Logger) LoggerFactory.getLogger(Logger.ROOT_LOGGER_NAME);
        log.addAppender(lines);
        long before = usedHeap();
        try (RawClient client = gateway.connect()) {
            Thread sender = client.offer(requests);
            // It ends only where the gateway reads on and on, or hangs up.
            assertThat(sender.join(Duration.ofSeconds(1)) && client.isOpen())
                    .as("20 MB of requests were taken")
                    .isFalse();
            // Kept answers to so many requests would take hundreds of megabytes; Netty's own buffers take some.
            assertThat(usedHeap() - before).isLessThan(32L * 1024 * 1024);
        } finally {
            log.detachAppender(lines);
        }
        assertThat(lines.list).isEmpty();
    }

    private static long usedHeap() {
        System.gc();
        Runtime runtime = Runtime.getRuntime();
        return runtime.totalMemory() - runtime.freeMemory();
    }
}
