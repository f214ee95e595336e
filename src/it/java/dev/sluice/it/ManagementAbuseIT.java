package dev.sluice.it;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Two nodes whose kubelets lie, and web pages and clients without credentials, against the management port and the
 * console of the packaged gateway.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ManagementAbuseIT {

    /** The maximum number of names of resources that have series of their own. */
    private static final int MOST_NAMES = 512;

    private static final Pattern INVENTED = Pattern.compile("evil\\.example/[0-9-]+");

    private static final Pattern STATUS = Pattern.compile("HTTP/\\d\\.\\d (\\d{3}) ");
    private static final String HOST = " HTTP/1.1\r\nHost: localhost\r\n";

    /** The request that must not be found in the bytes of another one. */
    private static final String HIDDEN = "GET /console/" + HOST + "\r\n";

    private static final String DROPPED = "gpu_webhook_records_dropped_total";

    /** Each decision of the stream is a line of JSON. */
    private static final Pattern UID = Pattern.compile("\"uid\":\"([^\"]+)\"");

    private static final String LAST = "the-last-review";

    private static final String MANY_NINES = "9".repeat(40);

    private Siege siege;

    @BeforeAll
    void start(@TempDir Path directory) throws Exception {
        Path snapshot = directory.resolve("cluster.json");
        new GeneratedCluster(10, 100).writeTo(snapshot);
        String honest = Files.readString(snapshot);
        Files.writeString(
                snapshot, honest.substring(0, honest.lastIndexOf("]}")) + "," + lying(1) + "," + lying(2) + "]}");
        siege = Siege.onFile(snapshot, "");
    }

    @AfterAll
    void stop() throws Exception {
        siege.close();
    }

    private static String lying(int node) {
        String amounts = IntStream.range(0, 2_000)
                .mapToObj(number -> "\"evil.example/" + node + "-" + number + "\":\"1\"")
                .collect(Collectors.joining(",", "{\"nvidia.com/gpu\":\"9223372036854775807\",", "}"));
        return "{\"apiVersion\":\"v1\",\"kind\":\"Node\",\"metadata\":{\"name\":\"lies-" + node
                + "\"},\"status\":{\"allocatable\":" + amounts + ",\"capacity\":" + amounts + "}}";
    }

    @Test
    void theSumsOfKubeletsThatLieDoNotWrapAndTheirNamesShareASeries() throws Exception {
        String metrics = siege.get("/metrics").body();

        assertThat(metrics).contains("nvidia.com/gpu").doesNotContain(" -9");
        assertThat(INVENTED.matcher(metrics).results().map(MatchResult::group).distinct())
                .hasSizeLessThanOrEqualTo(MOST_NAMES);
        for (String path : new String[] {"/api/v1/capacity", "/api/v1/fleet", "/api/v1/capacity/history"}) {
            assertThat(siege.get(path).body()).as(path).doesNotContain(":-9", "[-9");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"/", "/metrics", "/api/v1/decisions", "/api/v1/fleet", "/api/v1/events", "/console/"})
    void aPageThatHasThePortUnderItsOwnNameReadsNothing(String path) throws Exception {
        assertThat(answer("GET", path, "evil.example").status()).isEqualTo(421);
        assertThat(answer("GET", "/readyz?verbose", "evil.example").body()).doesNotContain("lies-1");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/console/..%2fapi/v1/decisions",
                "/console/../api/v1/decisions",
                "/console/%2e%2e/metrics",
                "/console/..;/metrics",
                "/console//metrics",
                "/console/%00",
                "/console/index.html",
                "/console/..%5c..%5cconf/gateway.yaml"
            })
    void noPathLeadsOutOfTheConsole(String path) throws Exception {
        assertThat(answer("GET", path, "localhost").status()).isEqualTo(404);
    }

    @ParameterizedTest
    @ValueSource(strings = {"OPTIONS", "TRACE", "PUT", "DELETE", "PATCH"})
    void theConsoleIsOnlyRead(String method) throws Exception {
        assertThat(answer(method, "/console/", "localhost").status()).isEqualTo(405);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Content-Length: 5\r\nContent-Length: 6",
                "Content-Length: 5, 6",
                "Content-Length: -1",
                "Content-Length: +5",
                "Content-Length:",
                "Content-Length: 0\r\nTransfer-Encoding: chunked",
                "Transfer-Encoding: chunked\r\nContent-Length: 0",
                "Transfer-Encoding: identity\r\nContent-Length: 0",
                "Transfer-Encoding: chunked, identity",
                "Transfer-Encoding: xchunked",
                "Transfer-Encoding : chunked",
                "Transfer-Encoding: chunked\r\nTransfer-Encoding: identity",
                "Transfer-Encoding:\u000bchunked",
                "Content-Length: 0\r\n folded: 1"
            })
    void anAmbiguousRequestIsRefusedAndNothingBehindItIsAnswered(String framing) throws Exception {
        for (String line : List.of("GET /livez", "HEAD /console/", "GET /api/v1/decisions", "POST /api/v1/explain")) {
            assertThat(statuses(line + HOST + framing + "\r\n\r\n0\r\n\r\n" + HIDDEN + HIDDEN))
                    .as(line)
                    .containsExactly(400);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"/livez", "/console/", "/metrics", "/nothing"})
    void aBodyThatNobodyReadsIsNoRequest(String path) throws Exception {
        String head = "POST " + path + HOST;

        assertThat(statuses(head + "Content-Length: " + HIDDEN.length() + "\r\n\r\n" + HIDDEN + HIDDEN))
                .singleElement()
                .satisfies(status -> assertThat(status).isIn(404, 405));
        assertThat(statuses(head + "Transfer-Encoding: chunked\r\n\r\nzz\r\n" + HIDDEN))
                .hasSizeLessThanOrEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"/", "/livez", "/console/", "/metrics", "/api/v1/fleet", "/api/v1/openapi.json"})
    void noOtherProtocolIsSpoken(String path) throws Exception {
        String webSocket = """
                Connection: Upgrade\r
                Upgrade: websocket\r
                Sec-WebSocket-Version: 13\r
                Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r
                """;
        String http2 = """
                Connection: Upgrade, HTTP2-Settings\r
                Upgrade: h2c\r
                HTTP2-Settings: AAMAAABkAAQAAP__\r
                """;
        for (String upgrade : List.of(webSocket, http2)) {
            String frame = "\u0002\u0005\u0000\u0000\u0000\u0000hello\r\n\r\n";

            assertThat(statuses("GET " + path + HOST + upgrade + "\r\n" + frame))
                    .as(upgrade)
                    .containsExactly(200, 400);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
                "GET /livez HTTP/9.9\r\n\r\n",
                "GET /livez http/1.1\r\nHost: localhost\r\n\r\n",
                "\u0016\u0003\u0001\u0002\u0000\u0001\r\n\r\n",
                "GET /livez\r\n\r\n",
                "GET /livez HTTP/1.1\nHost: localhost\n\n"
            })
    void whatIsNoRequestOfTheProtocolEndsTheConnection(String request) throws Exception {
        assertThat(sent(request))
                .containsIgnoringCase("X-Content-Type-Options: nosniff")
                .containsIgnoringCase("Cache-Control: no-store");
        assertThat(statuses(request + HIDDEN))
                .singleElement()
                .satisfies(status -> assertThat(status).isBetween(400, 501));
    }

    @ParameterizedTest
    @ValueSource(strings = {"/", "/console/", "/api/v1/openapi.json"})
    void rangesAreIgnored(String path) throws Exception {
        String whole = answer("GET", path, "localhost").body();
        for (String range :
                List.of("bytes=0-1", "bytes=0-0,1-1,2-2", "bytes=-1", "bytes=5-1", "bytes=0-" + MANY_NINES)) {
            String answered = sent("GET " + path + HOST + "Connection: close\r\nRange: " + range + "\r\n\r\n");

            assertThat(answered).as(range).startsWith("HTTP/1.1 200 ").endsWith(whole);
        }
    }

    @Test
    void aHeadRequestGetsTheLengthAndNoBody() throws Exception {
        String page = answer("GET", "/console/", "localhost").body();
        String head = sent("HEAD /console/" + HOST + "Connection: close\r\n\r\n");

        assertThat(head)
                .startsWith("HTTP/1.1 200 ")
                .containsIgnoringCase("Content-Length: " + page.length())
                .endsWith("\r\n\r\n");
        assertThat(statuses("HEAD /metrics" + HOST + "Connection: close\r\n\r\n"))
                .containsExactly(405);
    }

    @Test
    void headsBeyondTheLimitsAreRefused() throws Exception {
        assertThat(statuses("GET /" + "a".repeat(5_000) + HOST + "\r\n" + HIDDEN))
                .containsExactly(414);
        assertThat(statuses("GET /livez" + HOST + "X: " + "a".repeat(9_000) + "\r\n\r\n" + HIDDEN))
                .containsExactly(431);
        assertThat(statuses("GET /livez" + HOST + "X: a\u0000b\r\n\r\n" + HIDDEN))
                .containsExactly(400);
        assertThat(statuses("GET /metrics" + HOST + "Connection: close\r\nAccept: " + "text/plain;q=0.1,".repeat(400)
                        + "\r\nAccept-Encoding: " + "br;q=0.1,".repeat(80) + "\r\n\r\n"))
                .containsExactly(200);
    }

    /** An address gets one of the sixteen streams although another address already has all of them. */
    @Test
    void readersOfOneAddressLeaveAStreamToAnother() throws Exception {
        KubeletProbe port = new KubeletProbe(siege.managementPort(), /* tls= */ null);
        byte[] request = KubeletProbe.get("/api/v1/events", "");
        List<RawConnection> greedy = new ArrayList<>();
        try {
            for (int reader = 0; reader < 16; reader++) {
                RawConnection connection = port.connect(KubeletProbe.ATTACKERS_ADDRESS);
                greedy.add(connection);
                connection.send(request);
                assertThat(connection.answer().status()).isEqualTo(200);
            }
            try (RawConnection oneMore = port.connect(KubeletProbe.ATTACKERS_ADDRESS)) {
                oneMore.send(request);
                assertThat(oneMore.answer().status()).isEqualTo(503);
            }
            try (RawConnection other = port.connect(KubeletProbe.KUBELETS_ADDRESS)) {
                other.send(request);
                assertThat(other.answer().status()).isEqualTo(200);
                greedy.getFirst().awaitEnd();
            }
        } finally {
            for (RawConnection connection : greedy) {
                connection.close();
            }
        }
    }

    /** The kernel holds some megabytes of a stream. What is beyond that waits in the gateway, which has a limit. */
    @Test
    void aReaderThatDoesNotReadIsDroppedAndAnotherReadsEveryDecision() throws Exception {
        byte[] request = KubeletProbe.get("/api/v1/events", "");
        double droppedBefore = dropped();
        try (Socket unread = new Socket();
                RawConnection webhook = siege.connect();
                ExecutorService thread = Executors.newSingleThreadExecutor();
                RawConnection reader = Siege.plain(siege.managementPort())) {
            unread.setReceiveBufferSize(4_096);
            unread.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), siege.managementPort()));
            unread.getOutputStream().write(request);
            reader.send(request);
            assertThat(reader.answer().status()).isEqualTo(200);
            Future<String> read = thread.submit(() -> reader.readUntil(LAST));

            List<String> decided = new ArrayList<>();
            while (dropped() == droppedBefore) {
                for (int review = 0; review < 500; review++) {
                    decided.add(decided(webhook, GoodReview.next()));
                }
                assertThat(decided).as("decisions without a drop").hasSizeLessThan(40_000);
            }
            decided.add(decided(webhook, new GoodReview(LAST)));

            assertThat(UID.matcher(read.get()).results().map(found -> found.group(1)))
                    .containsExactlyElementsOf(decided);
        }
    }

    private double dropped() throws Exception {
        return siege.metrics().sum(DROPPED, "consumer=\"stream\"");
    }

    private static String decided(RawConnection webhook, GoodReview review) throws IOException {
        webhook.send(RawConnection.post(review.body()));
        assertThat(review.problem(webhook.answer())).isEmpty();
        return review.uid();
    }

    /** Returns the status of each answer until the gateway ends the connection. */
    private List<Integer> statuses(String bytes) throws IOException {
        return STATUS.matcher(sent(bytes))
                .results()
                .map(found -> Integer.valueOf(found.group(1)))
                .toList();
    }

    /** Returns everything that the gateway sends until it ends the connection. */
    private String sent(String bytes) throws IOException {
        try (RawConnection connection = Siege.plain(siege.managementPort())) {
            connection.send(bytes.getBytes(ISO_8859_1));
            return connection.rest();
        }
    }

    private RawConnection.Answer answer(String method, String path, String host) throws IOException {
        try (RawConnection connection = Siege.plain(siege.managementPort())) {
            connection.send(method + " " + path + " HTTP/1.1\r\nHost: " + host + "\r\nConnection: close\r\n\r\n");
            return connection.answer();
        }
    }
}
