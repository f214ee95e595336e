package dev.sluice.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.cli.console.GatewayApiClient;
import dev.sluice.cli.console.RunningGatewayRoute;
import dev.sluice.cli.console.UserProblem;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerRequest;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.http.HttpClient;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A browser, and others, in front of the server of {@code sluice console}; the gateway behind it says what it gets
 * (contracts.md 1.8).
 */
class LoopbackProxyTest {

    private static final String TOKEN = "Bearer secret-of-the-user";

    private final Vertx vertx = Vertx.vertx();
    private final HttpClient client = HttpClient.newHttpClient();
    private final BlockingQueue<Map<String, String>> received = new LinkedBlockingQueue<>();
    private final CountDownLatch betrayed = new CountDownLatch(1);
    private final CountDownLatch streamClosed = new CountDownLatch(1);
    private Instant now = Instant.EPOCH;
    private final BrowserSession session = new BrowserSession(() -> now);
    private RunningGatewayRoute route = RunningGatewayRoute.to(new GatewayApiClient("", client, Optional::empty));
    private LoopbackProxy proxy = new LoopbackProxy(vertx, route, session, betrayed::countDown);
    private int port;

    @BeforeEach
    void listen() throws Exception {
        HttpServer gateway =
                await(vertx.createHttpServer().requestHandler(this::answer).listen(0, "127.0.0.1"));
        route = RunningGatewayRoute.to(
                new GatewayApiClient("http://127.0.0.1:" + gateway.actualPort(), client, () -> Optional.of(TOKEN)));
        proxy = new LoopbackProxy(vertx, route, session, betrayed::countDown);
        port = await(proxy.listen(0)).actualPort();
    }

    private void answer(HttpServerRequest request) {
        if (String.valueOf(request.path()).equals("/api/v1/events")) {
            request.response().closeHandler(_ -> streamClosed.countDown());
            var _ = request.response().setChunked(true).write("id: 1\n\n");
            return;
        }
        request.body().onSuccess(body -> {
            received.add(request.headers().entries().stream()
                    .collect(Collectors.toMap(
                            entry -> entry.getKey().toLowerCase(Locale.ROOT),
                            Map.Entry::getValue,
                            (first, _) -> first)));
            var _ = request.response()
                    .setStatusCode(request.headers().contains("If-None-Match") ? 304 : 200)
                    .putHeader("ETag", "\"v1\"")
                    .putHeader("WWW-Authenticate", "Bearer")
                    .putHeader("Set-Cookie", "theirs=1")
                    .putHeader("Content-Security-Policy", "default-src 'self'")
                    .end(request.headers().contains("If-None-Match") ? "" : "got " + body.length());
        });
    }

    @AfterEach
    void close() throws Exception {
        // A request without an answer would be awaited for ever.
        client.shutdownNow();
        var _ = await(vertx.close());
    }

    private static <T> T await(Future<T> future) throws Exception {
        return future.toCompletionStage().toCompletableFuture().get(10, TimeUnit.SECONDS);
    }

    private Socket send(String request) throws IOException {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), port);
        socket.setSoTimeout(10_000);
        OutputStream out = socket.getOutputStream();
        out.write(request.replace("SELF", "127.0.0.1:" + port)
                .replace("\n", "\r\n")
                .getBytes(StandardCharsets.US_ASCII));
        return socket;
    }

    /** Sends a request, and reads the answer to its end. */
    private String ask(String line, String... headers) throws IOException {
        String more = List.of(headers).stream().map(header -> header + "\n").collect(Collectors.joining());
        String host = more.contains("Host:") ? "" : "Host: SELF\n";
        try (Socket socket = send(line + " HTTP/1.1\n" + host + "Connection: close\n" + more + "\n")) {
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
        }
    }

    private String admitted() throws IOException {
        String answer = ask("GET /open?code=" + session.code());
        return answer.lines()
                .filter(line -> line.toLowerCase(Locale.ROOT).startsWith("set-cookie: "))
                .map(line -> "Cookie: " + line.substring("set-cookie: ".length(), line.indexOf(';')))
                .findFirst()
                .orElse(answer);
    }

    @Test
    void theBrowserWithTheCodeGetsTheConsoleAndTheGatewayTheToken() throws Exception {
        String opened = ask("GET /open?code=" + session.code());

        assertThat(opened)
                .startsWith("HTTP/1.1 303")
                .containsIgnoringCase("location: /console/")
                .containsIgnoringCase("HttpOnly")
                .containsIgnoringCase("SameSite=Strict")
                .containsIgnoringCase("cache-control: no-store")
                .containsIgnoringCase("referrer-policy: no-referrer");
        String cookie = opened.lines()
                .filter(line -> line.toLowerCase(Locale.ROOT).startsWith("set-cookie: "))
                .map(line -> "Cookie: " + line.substring("set-cookie: ".length(), line.indexOf(';')))
                .findFirst()
                .orElseThrow();
        String page = ask("GET /console/", cookie, "Sec-Fetch-Site: none", "Accept: text/html", "X-Other: 1");

        assertThat(page)
                .startsWith("HTTP/1.1 200")
                .contains("got 0", "default-src 'self'")
                .doesNotContainIgnoringCase("set-cookie")
                .doesNotContainIgnoringCase("www-authenticate")
                .doesNotContain("secret-of-the-user");
        assertThat(received.take())
                .containsEntry("authorization", TOKEN)
                .containsEntry("accept", "text/html")
                .doesNotContainKeys("cookie", "x-other", "sec-fetch-site");
    }

    @Test
    void aTokenOfAPageIsNotPassedOn() throws Exception {
        assertThat(ask("GET /api/v1/status", admitted(), "Authorization: Bearer other"))
                .startsWith("HTTP/1.1 200");

        assertThat(received.take()).containsEntry("authorization", TOKEN);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Host: attacker.example",
                "Host: localhost",
                "Host: 127.0.0.1",
                "Host: attacker.example:80\nHost: SELF",
                "Sec-Fetch-Site: cross-site",
                "Sec-Fetch-Site: same-site",
                "Origin: http://attacker.example",
                "Origin: null"
            })
    void anotherPageGetsNothingThoughTheBrowserSendsTheCookie(String header) throws Exception {
        String cookie = admitted();

        assertThat(ask("GET /console/", cookie, header)).startsWith("HTTP/1.1 403");
        assertThat(received).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "Cookie: sluice-console-1=x", "Cookie: other=x", "Authorization: Bearer x"})
    void nobodyWithoutTheCookieIsServed(String header) throws Exception {
        assertThat(admitted()).startsWith("Cookie: sluice-console-" + port);

        String answer = header.isEmpty() ? ask("GET /api/v1/status") : ask("GET /api/v1/status", header);
        assertThat(answer).startsWith("HTTP/1.1 401").doesNotContainIgnoringCase("www-authenticate");
        assertThat(ask("GET /api/v1/status", "Cookie: sluice-console-" + port + "=" + session.code()))
                .startsWith("HTTP/1.1 401");
        assertThat(received).isEmpty();
    }

    @Test
    void aCodeThatIsShownTwiceEndsTheSession() throws Exception {
        String cookie = admitted();
        assertThat(ask("GET /open?code=wrong")).startsWith("HTTP/1.1 403");
        assertThat(ask("GET /console/", cookie)).startsWith("HTTP/1.1 200");

        assertThat(ask("GET /open?code=" + session.code())).startsWith("HTTP/1.1 403");
        assertThat(betrayed.await(10, TimeUnit.SECONDS)).isTrue();
        assertThat(ask("GET /console/", cookie)).startsWith("HTTP/1.1 401");
    }

    @Test
    void anOldCodeIsNotValid() throws Exception {
        now = now.plus(BrowserSession.CODE_VALID);

        assertThat(admitted()).startsWith("HTTP/1.1 403");
    }

    @ParameterizedTest
    @CsvSource({
        "GET /metrics, 404",
        "GET /, 404",
        "GET /readyz?verbose, 404",
        "DELETE /api/v1/decisions, 405",
        "POST /api/v1/decisions, 405",
        "POST /console/, 405"
    })
    void onlyTheConsoleAndTheApiAreReached(String line, String status) throws Exception {
        assertThat(ask(line, admitted(), "Content-Length: 0")).startsWith("HTTP/1.1 " + status);
        assertThat(received).isEmpty();
    }

    @Test
    void aRefusalOfTheApiIsAProblemWithADetailAsThoseOfTheGateway() throws Exception {
        assertThat(ask("GET /api/v1/status"))
                .startsWith("HTTP/1.1 401")
                .containsIgnoringCase("content-type: application/problem+json")
                .contains("\"detail\":\"this browser was not admitted; run the command console again\"");
        assertThat(ask("GET /console/")).containsIgnoringCase("content-type: text/plain");
    }

    @ParameterizedTest
    @ValueSource(strings = {"GET /api/v1/fleet?labels={}", "GET /console/a|b", "POST /api/v1/explain?a=%zz"})
    void anAddressThatCannotBeReadIsRefused(String line) throws Exception {
        assertThat(ask(line, admitted(), "Content-Length: 0"))
                .startsWith("HTTP/1.1 400")
                .contains("the address cannot be read");
    }

    @Test
    void aConnectionThatIsIdleLongerThanTheHeartbeatsOfAStreamIsClosed() {
        assertThat(LoopbackProxy.options(0).getIdleTimeoutUnit()).isEqualTo(TimeUnit.SECONDS);
        assertThat(LoopbackProxy.options(0).getIdleTimeout()).isEqualTo(90);
    }

    @Test
    void aManifestIsPassedOnUpToTheLimitOfTheGateway() throws Exception {
        String cookie = admitted();

        assertThat(ask(
                        "POST /api/v1/explain?namespace=a",
                        cookie,
                        "Content-Type: application/json",
                        "Content-Length: 2",
                        "\n{}"))
                .startsWith("HTTP/1.1 200")
                .contains("got 2");
        assertThat(received.take()).containsEntry("content-type", "application/json");
        assertThat(ask("POST /api/v1/explain", cookie, "Content-Length: 262145"))
                .startsWith("HTTP/1.1 413");
        assertThat(ask("POST /api/v1/explain", cookie, "Transfer-Encoding: chunked"))
                .startsWith("HTTP/1.1 413");
    }

    @Test
    void anAnswerThatTheBrowserHasIsNotSentAgain() throws Exception {
        assertThat(ask("GET /api/v1/fleet", admitted(), "If-None-Match: \"v1\""))
                .startsWith("HTTP/1.1 304")
                .containsIgnoringCase("etag: \"v1\"");
    }

    @Test
    void aStreamIsPassedOnAsItComesAndEndsWithTheBrowser() throws Exception {
        String cookie = admitted();
        try (Socket browser = send("GET /api/v1/events HTTP/1.1\nHost: SELF\n" + cookie + "\n\n");
                InputStream in = browser.getInputStream();
                BufferedReader lines = new BufferedReader(new InputStreamReader(in, StandardCharsets.US_ASCII))) {
            assertThat(lines.lines().anyMatch("id: 1"::equals)).isTrue();
        }

        assertThat(streamClosed.await(10, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void aGatewayThatHasGoneIsReplacedByAnotherWithTheFirstRequest() throws Exception {
        GatewayApiClient there = route.now();
        route = new RunningGatewayRoute() {
            private GatewayApiClient newest = new GatewayApiClient("http://127.0.0.1:1", client, Optional::empty);

            @Override
            public GatewayApiClient now() {
                return newest;
            }

            @Override
            public GatewayApiClient after(GatewayApiClient silent) {
                assertThat(silent).isEqualTo(newest);
                newest = there;
                return newest;
            }
        };
        proxy = new LoopbackProxy(vertx, route, session, betrayed::countDown);
        port = await(proxy.listen(0)).actualPort();

        assertThat(ask(
                        "POST /api/v1/explain",
                        admitted(),
                        "Content-Type: application/json",
                        "Content-Length: 2",
                        "\n{}"))
                .startsWith("HTTP/1.1 200")
                .contains("got 2");
        assertThat(received.take()).containsEntry("authorization", TOKEN);
    }

    /** A forwarded port accepts connections whatever becomes of the pod behind it. */
    @Test
    void aGatewayThatIsSilentIsReplacedByAnotherToo() throws Exception {
        AtomicInteger unanswered = new AtomicInteger();
        HttpServer silent = await(vertx.createHttpServer()
                .requestHandler(_ -> unanswered.incrementAndGet())
                .listen(0, "127.0.0.1"));
        GatewayApiClient first =
                new GatewayApiClient("http://127.0.0.1:" + silent.actualPort(), client, Optional::empty);
        RunningGatewayRoute answering = route;
        RunningGatewayRoute moving = new RunningGatewayRoute() {
            @Override
            public GatewayApiClient now() {
                return first;
            }

            @Override
            public GatewayApiClient after(GatewayApiClient last) {
                return answering.now();
            }
        };
        proxy = new LoopbackProxy(vertx, moving, session, betrayed::countDown, Duration.ofMillis(300));
        port = await(proxy.listen(0)).actualPort();

        assertThat(ask("GET /api/v1/decisions", admitted())).startsWith("HTTP/1.1 200");
        assertThat(unanswered).as("requests for which somebody has waited").hasValue(1);
    }

    @Test
    void aStreamThatBeginsInTimeMayLastLonger() throws Exception {
        proxy = new LoopbackProxy(vertx, route, session, betrayed::countDown, Duration.ofMillis(300));
        port = await(proxy.listen(0)).actualPort();
        String cookie = admitted();

        try (Socket socket = send("GET /api/v1/events HTTP/1.1\nHost: SELF\n" + cookie + "\n\n")) {
            assertThat(new String(socket.getInputStream().readNBytes(12), StandardCharsets.US_ASCII))
                    .isEqualTo("HTTP/1.1 200");
            assertThat(streamClosed.await(1, TimeUnit.SECONDS)).isFalse();
        }
    }

    @Test
    void whyNoGatewayIsFoundIsTold() throws Exception {
        proxy = new LoopbackProxy(
                vertx,
                new RunningGatewayRoute() {
                    @Override
                    public GatewayApiClient now() {
                        return new GatewayApiClient("http://127.0.0.1:1", client, Optional::empty);
                    }

                    @Override
                    public GatewayApiClient after(GatewayApiClient silent) throws UserProblem {
                        throw new UserProblem("no pod is ready");
                    }
                },
                session,
                betrayed::countDown);
        port = await(proxy.listen(0)).actualPort();

        assertThat(ask("GET /api/v1/status", admitted()))
                .startsWith("HTTP/1.1 502")
                .contains("\"detail\":\"no pod is ready\"");
    }
}
