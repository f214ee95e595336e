package dev.sluice.it;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.parallel.Isolated;

/**
 * What somebody without any credentials can do who reaches the port of the webhook: he costs little, nobody else
 * notices, and the process goes on.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Isolated
class IntakeSiegeIT {

    private static final int MIB = 1024 * 1024;
    private static final Duration ATTACK = Attackers.LENGTH;
    /** What the process may have in memory whatever comes: heap, code, direct memory and the connections. */
    private static final long MOST_RESIDENT = 400L * MIB;

    private static final List<byte[]> LARGE =
            List.copyOf(HostileReviews.ofSize(8 * MIB - 4_096).values());

    private Siege siege;
    private Served quiet;

    @BeforeAll
    void lay() throws Exception {
        siege = Siege.on(new GeneratedCluster(500, 5_000), "");
        quiet = siege.goodClient().inQuiet(Duration.ofSeconds(3));
        System.out.println("in quiet: " + quiet);
        assertThat(quiet.failures()).isEmpty();
    }

    @AfterAll
    void lift() throws Exception {
        siege.close();
    }

    @Test
    void manyValidReviewsOfTheLargestSizeAtOnce() throws Exception {
        withstands("large reviews", new Attackers(8, ATTACK, (attacker, _) -> {
            try (RawConnection connection = siege.connect()) {
                connection.send(RawConnection.post(LARGE.get(attacker % LARGE.size())));
                assertThat(connection.answer().status()).isIn(200, 503);
            }
        }));
    }

    @Test
    void clientsThatVanishBehindTheirReviews() throws Exception {
        withstands("vanishing clients", new Attackers(8, ATTACK, (attacker, _) -> {
            try (RawConnection connection = siege.connect()) {
                connection.send(RawConnection.post(LARGE.get(attacker % LARGE.size())));
            }
        }));
    }

    @Test
    void largeReviewsInChunks() throws Exception {
        withstands("chunked reviews", new Attackers(8, ATTACK, (attacker, _) -> {
            byte[] body = LARGE.get(attacker % LARGE.size());
            try (RawConnection connection = siege.connect()) {
                connection.send(RawConnection.head("Transfer-Encoding: chunked"));
                for (int at = 0; at < body.length; at += 100_000) {
                    byte[] chunk = Arrays.copyOfRange(body, at, Math.min(body.length, at + 100_000));
                    connection.send(Integer.toHexString(chunk.length) + "\r\n");
                    connection.send(chunk);
                    connection.send("\r\n");
                }
                connection.send("0\r\n\r\n");
                assertThat(connection.answer().status()).isIn(200, 503);
            }
        }));
    }

    @Test
    void bodiesThatNeverEnd() throws Exception {
        byte[] part = new byte[4 * MIB];
        Arrays.fill(part, (byte) ' ');
        withstands("unfinished bodies", new Attackers(24, ATTACK, (_, end) -> {
            try (RawConnection connection = siege.connect()) {
                connection.send(RawConnection.head("Content-Length: " + 8 * MIB));
                connection.send(part);
                assertThat(connection.answer().status()).isIn(408, 503);
            }
        }));
    }

    @Test
    void smallBodiesThatNeverEnd() throws Exception {
        byte[] part = new byte[250_000];
        Arrays.fill(part, (byte) ' ');
        withstands("small unfinished bodies", new Attackers(300, ATTACK, (_, end) -> {
            try (RawConnection connection = siege.connect()) {
                connection.send(RawConnection.head("Content-Length: 250001"));
                connection.send(part);
                assertThat(connection.answer().status()).isIn(408, 503);
            }
        }));
    }

    @Test
    void reviewsThatAreSlowToReadAndToDecide() throws Exception {
        List<byte[]> reviews = new ArrayList<>();
        for (int size : new int[] {30_000, 250_000, 1_500_000, 4_500_000}) {
            HostileReviews.ofSize(size).values().forEach(body -> reviews.add(RawConnection.post(body)));
        }
        withstands("slow reviews", new Attackers(4, ATTACK, (attacker, end) -> {
            try (RawConnection connection = siege.connect()) {
                for (int i = attacker; System.nanoTime() < end; i++) {
                    connection.send(reviews.get(i % reviews.size()));
                    assertThat(connection.answer().status()).isIn(200, 503);
                }
            }
        }));
    }

    @Test
    void clientsThatDoNotReadTheirAnswers() throws Exception {
        String request = "GET /healthz HTTP/1.1\r\nHost: localhost\r\nX: " + "x".repeat(400) + "\r\n\r\n";
        byte[] requests = request.repeat(1_000).getBytes(UTF_8);
        withstands("unread answers", new Attackers(8, ATTACK, (_, end) -> {
            try (RawConnection connection = siege.connect()) {
                while (System.nanoTime() < end) {
                    connection.send(requests);
                }
            }
        }));
    }

    @Test
    void requestsThatAreSentAhead() throws Exception {
        byte[] requests =
                "GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n".repeat(10_000).getBytes(UTF_8);
        withstands("requests sent ahead", new Attackers(10, ATTACK, (_, _) -> {
            try (RawConnection connection = siege.connect()) {
                connection.send(requests);
                connection.awaitEnd();
            }
        }));
        assertThat(siege.metrics().sum("gpu_webhook_abuse_total", "cause=\"too_many_pipelined\""))
                .isPositive();
    }

    @Test
    void threeThousandIdleConnections() throws Exception {
        List<RawConnection> idle = new ArrayList<>();
        long before = siege.residentBytes();
        try {
            Served served = siege.goodClient().beside(() -> {
                for (int i = 0; i < 3_000; i++) {
                    idle.add(siege.connect());
                }
            });
            System.out.println(
                    "idle connections: " + served + ", " + (siege.residentBytes() - before) / MIB + " MiB more");
            assertThat(served.failures()).isEmpty();
            assertThat(siege.metrics().sum("gpu_webhook_connections", "port=\"webhook\""))
                    .isLessThanOrEqualTo(1_024);
            assertThat(siege.residentBytes() - before).isLessThan(40L * MIB);
        } finally {
            for (RawConnection connection : idle) {
                connection.close();
            }
        }
        var _ = isWell();
    }

    @Test
    void headsThatNeverEndAndHandshakesThatNeverBegin() throws Exception {
        withstands("half heads and handshakes", new Attackers(600, ATTACK, (attacker, end) -> {
            try (RawConnection connection = attacker % 2 == 0 ? Siege.plain(siege.webhookPort()) : siege.connect()) {
                connection.send(attacker % 2 == 0 ? new byte[] {0x16, 3, 1} : "POST /mut".getBytes(UTF_8));
                Pause.until(end);
            }
        }));
    }

    @Test
    void visitorsOfTheManagementPortWhoDoNotRead() throws Exception {
        byte[] requests =
                "GET /api/v1/capacity HTTP/1.1\r\nHost: a\r\n\r\n".repeat(10).getBytes(UTF_8);
        withstands("management port", new Attackers(100, ATTACK, (_, _) -> {
            try (RawConnection connection = Siege.plain(siege.managementPort())) {
                connection.send(requests);
                Pause.millis(1_000);
            }
        }));
        assertThat(siege.isReady()).isTrue();
        assertThat(siege.metrics().sum("gpu_webhook_connections", "port=\"management\""))
                .isLessThanOrEqualTo(64);
    }

    @Test
    void aHeadIsEndedAfterFiveSeconds() throws Exception {
        try (RawConnection fresh = siege.connect();
                RawConnection kept = siege.connect()) {
            GoodReview review = GoodReview.next();
            kept.send(RawConnection.post(review.body()));
            assertThat(review.problem(kept.answer())).isEmpty();
            long begin = System.nanoTime();
            fresh.send("P");
            kept.send("P");
            fresh.awaitEnd();
            kept.awaitEnd();
            assertThat(Duration.ofNanos(System.nanoTime() - begin)).isLessThan(Duration.ofSeconds(9));
        }
        assertThat(siege.metrics().sum("gpu_webhook_abuse_total", "cause=\"slow_head\""))
                .isGreaterThanOrEqualTo(2);
    }

    private void withstands(String name, GoodClient.Attack attack) throws Exception {
        Served served = siege.goodClient().beside(attack);
        System.out.println(name + ": " + served + ", " + siege.residentBytes() / MIB + " MiB, peak "
                + siege.peakBytes() / MIB + " MiB");
        assertThat(siege.exitCode()).isEmpty();
        assertThat(served.failures()).isEmpty();
        // The machine may have become busier since the first quiet: what is asked of is the gateway.
        assertThat(served.p99()).isLessThanOrEqualTo(quiet.twice(isWell()));
    }

    /** How everybody is served afterwards. */
    private Served isWell() throws Exception {
        assertThat(siege.isAlive()).isTrue();
        assertThat(siege.peakBytes()).isLessThan(MOST_RESIDENT);
        Eventually.holds(
                "nothing is held for bodies any more", () -> siege.metrics().sum("gpu_webhook_body_memory_bytes") == 0);
        Served after = siege.goodClient().inQuiet(Duration.ofSeconds(1));
        assertThat(after.failures()).isEmpty();
        return after;
    }
}
