package dev.sluice.cli;

import dev.sluice.api.DocumentResponse;
import dev.sluice.cli.console.GatewayApiClient;
import dev.sluice.cli.console.RunningGatewayRoute;
import dev.sluice.cli.console.UserProblem;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.http.Cookie;
import io.vertx.core.http.CookieSameSite;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.HttpTimeoutException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.Flow;
import org.jspecify.annotations.Nullable;

/**
 * A server on the loopback address that passes the requests of one browser on to a gateway, with the token of the user.
 * The browser never gets the token. Requests of other programs and other web pages are refused: they lack the cookie,
 * their {@code Host} is not the address of this server, or the browser marks them as foreign in the header
 * {@code Sec-Fetch-Site} or {@code Origin}.
 */
final class LoopbackProxy {

    static final String HOST = "127.0.0.1";

    /** The path to which the browser sends its code. */
    static final String OPEN = "/open";

    static final String CONSOLE = "/console/";

    private static final String API = "/api/";

    private static final String EXPLAIN = "/api/v1/explain";

    /** The largest body of a request in bytes. The gateway has the same limit for {@link #EXPLAIN}. */
    private static final int MOST_BODY_BYTES = 256 * 1_024;

    /** The headers of the browser that are passed on to the gateway. All others, such as cookies, are dropped. */
    private static final List<String> REQUEST_HEADERS =
            List.of("Accept", "Accept-Encoding", "Content-Type", "If-None-Match", "Last-Event-ID");

    /**
     * The headers of the gateway's answer that are not passed on to the browser: headers about the connection, cookies,
     * and {@code WWW-Authenticate}. The last one would make the browser ask the user for a token, which this server
     * does not pass on.
     */
    private static final Set<String> OWN_HEADERS =
            Set.of("connection", "keep-alive", "transfer-encoding", "content-length", "set-cookie", "www-authenticate");

    /**
     * The time after which an idle connection is closed. The management port of the gateway has the same limit. The
     * event stream is not idle, because it has a heartbeat every 15 s.
     */
    private static final int IDLE_SECONDS = 90;

    /**
     * The time limit until the head of an answer arrives. It is needed because a port forward accepts connections even
     * if the pod behind it does not answer.
     */
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    private static final int NOT_MODIFIED = 304;

    private static final Set<String> OWN_SITES = Set.of("same-origin", "none");

    private final Vertx vertx;
    private final RunningGatewayRoute route;
    private final BrowserSession session;
    private final Runnable betrayed;
    private final Duration patience;
    private int port;

    /**
     * Creates a server.
     *
     * @param betrayed a callback for the case that the code of the session is sent twice
     */
    LoopbackProxy(Vertx vertx, RunningGatewayRoute route, BrowserSession session, Runnable betrayed) {
        this(vertx, route, session, betrayed, PATIENCE);
    }

    LoopbackProxy(
            Vertx vertx, RunningGatewayRoute route, BrowserSession session, Runnable betrayed, Duration patience) {
        this.vertx = vertx;
        this.route = route;
        this.session = session;
        this.betrayed = betrayed;
        this.patience = patience;
    }

    /** Listens on the port {@code wanted}, or on any free port if {@code wanted} is 0. */
    Future<HttpServer> listen(int wanted) {
        return vertx.createHttpServer(options(wanted))
                .requestHandler(this::serve)
                .listen()
                .onSuccess(listening -> port = listening.actualPort());
    }

    static HttpServerOptions options(int wanted) {
        return new HttpServerOptions()
                .setHost(HOST)
                .setPort(wanted)
                .setHttp2ClearTextEnabled(false)
                .setIdleTimeout(IDLE_SECONDS);
    }

    /** Returns the address with the code that admits the browser. It can be opened only once. */
    String address() {
        return "http://" + HOST + ":" + port + OPEN + "?code=" + session.code();
    }

    private void serve(HttpServerRequest request) {
        String path = String.valueOf(request.path());
        if (!isOwn(request)) {
            refuse(request, 403, "this request comes from another page or calls this server by another name");
        } else if (path.equals(OPEN)) {
            open(request);
        } else if (!session.admits(cookie(request))) {
            refuse(request, 401, "this browser was not admitted; run the command console again");
        } else if (path.startsWith(CONSOLE) || path.startsWith(API)) {
            passOn(request, path);
        } else {
            refuse(request, 404, "path not found");
        }
    }

    /**
     * Returns true if the browser does not mark the request as sent by another web page, and its {@code Host} is the
     * address of this server. The host is checked because another web page can make its own host name point to the
     * loopback address (DNS rebinding).
     */
    private boolean isOwn(HttpServerRequest request) {
        String self = HOST + ":" + port;
        @Nullable String site = request.getHeader("Sec-Fetch-Site");
        @Nullable String origin = request.getHeader("Origin");
        return request.headers().getAll("Host").equals(List.of(self))
                && request.uri().startsWith("/")
                && (site == null || OWN_SITES.contains(site))
                && (origin == null || origin.equals("http://" + self));
    }

    private String cookieName() {
        return "sluice-console-" + port;
    }

    private @Nullable String cookie(HttpServerRequest request) {
        Cookie cookie = request.getCookie(cookieName());
        return cookie == null ? null : cookie.getValue();
    }

    private void open(HttpServerRequest request) {
        session.open(request.getParam("code"))
                .ifPresentOrElse(
                        secret -> {
                            var _ = protect(request.response())
                                    .addCookie(Cookie.cookie(cookieName(), secret)
                                            .setHttpOnly(true)
                                            .setSameSite(CookieSameSite.STRICT)
                                            .setPath("/"))
                                    .setStatusCode(303)
                                    .putHeader("Location", CONSOLE)
                                    .end();
                        },
                        () -> {
                            refuse(request, 403, "this code is not valid any more; run the command console again");
                            if (session.isBetrayed()) {
                                betrayed.run();
                            }
                        });
    }

    private void passOn(HttpServerRequest request, String path) {
        boolean isExplain = request.method().equals(HttpMethod.POST) && path.equals(EXPLAIN);
        if (!isReadable(request.uri())) {
            refuse(request, 400, "the address cannot be read");
        } else if (!isExplain && !request.method().equals(HttpMethod.GET)) {
            refuse(request, 405, "only GET is answered here");
        } else if (isExplain) {
            explain(request);
        } else {
            send(request, HttpRequest.newBuilder().GET());
        }
    }

    /** Returns true if the URI that the browser has sent contains only legal characters. */
    private static boolean isReadable(String uri) {
        try {
            return new URI("http://" + HOST + uri).isAbsolute();
        } catch (URISyntaxException unreadable) {
            return false;
        }
    }

    private void explain(HttpServerRequest request) {
        @Nullable String length = request.getHeader("Content-Length");
        if (length == null || !length.matches("[0-9]{1,6}") || Integer.parseInt(length) > MOST_BODY_BYTES) {
            refuse(request, 413, "the body must have at most " + MOST_BODY_BYTES + " bytes, and say how many");
            return;
        }
        request.body()
                .onSuccess(body ->
                        send(request, HttpRequest.newBuilder().POST(BodyPublishers.ofByteArray(body.getBytes()))));
    }

    /**
     * Sends a request to the gateway, up to three times. No request changes anything, so a repetition does no harm. The
     * second attempt is made if the connection fails, because the gateway may have closed an idle connection. The last
     * attempt goes to the gateway that {@link RunningGatewayRoute#after} finds, which may be another pod. Only the head
     * of an answer has a time limit, not its body.
     */
    private void send(HttpServerRequest request, HttpRequest.Builder passed) {
        Context loop = vertx.getOrCreateContext();
        var _ = passed.version(HttpClient.Version.HTTP_1_1).timeout(patience);
        for (String name : REQUEST_HEADERS) {
            @Nullable String value = request.getHeader(name);
            if (value != null) {
                var _ = passed.setHeader(name, value);
            }
        }
        work(route::now)
                .compose(first -> ask(first, request.uri(), passed)
                        .recover(failure ->
                                hasTimedOut(failure) ? Future.failedFuture(failure) : ask(first, request.uri(), passed))
                        .recover(_ -> work(() -> route.after(first)).compose(next -> ask(next, request.uri(), passed))))
                .onSuccess(answer -> answer(request, answer, loop))
                .onFailure(failure -> refuse(
                        request,
                        502,
                        failure instanceof UserProblem
                                ? String.valueOf(failure.getMessage())
                                : "the gateway does not answer"));
    }

    private static boolean hasTimedOut(Throwable failure) {
        return failure instanceof HttpTimeoutException || failure.getCause() instanceof HttpTimeoutException;
    }

    private <T> Future<T> work(Callable<T> task) {
        return vertx.executeBlocking(task, /* ordered= */ false).map(made -> Objects.requireNonNull(made));
    }

    /**
     * Sends a request with the token of the user to a gateway. A worker thread gets the token, because an external
     * program may have to be run for it.
     */
    private Future<HttpResponse<Flow.Publisher<List<ByteBuffer>>>> ask(
            GatewayApiClient gateway, String uri, HttpRequest.Builder passed) {
        return work(() -> gateway.authorization().get()).compose(token -> {
            token.ifPresent(header -> passed.setHeader("Authorization", header));
            HttpRequest ready = passed.uri(URI.create(gateway.base() + uri)).build();
            return Future.fromCompletionStage(
                    gateway.client().sendAsync(ready, BodyHandlers.ofPublisher()), vertx.getOrCreateContext());
        });
    }

    private static void answer(
            HttpServerRequest request, HttpResponse<Flow.Publisher<List<ByteBuffer>>> answer, Context loop) {
        HttpServerResponse response = request.response().setStatusCode(answer.statusCode());
        answer.headers().map().forEach((name, values) -> {
            if (!OWN_HEADERS.contains(name.toLowerCase(Locale.ROOT))) {
                response.putHeader(name, values);
            }
        });
        if (answer.statusCode() != NOT_MODIFIED) {
            var _ = response.setChunked(true);
        }
        answer.body().subscribe(new BrowserBodyRelay(response, loop));
    }

    private static void refuse(HttpServerRequest request, int status, String sentence) {
        if (request.response().ended() || request.response().closed()) {
            return;
        }
        HttpServerResponse response = protect(request.response()).setStatusCode(status);
        String text = sentence + "\n";
        String type = "text/plain; charset=utf-8";
        if (String.valueOf(request.path()).startsWith(API)) {
            // The answer has the same form as a refusal of the gateway, because the console shows its field "detail" to
            // the user.
            DocumentResponse problem = DocumentResponse.problem(status, response.getStatusMessage(), sentence);
            text = problem.json();
            type = problem.contentType();
        }
        var _ = response.putHeader("Content-Type", type).end(text).onComplete(_ -> {
            // If the request's body was not read completely, the connection is closed. Otherwise the rest of the body
            // would be parsed as the next request.
            if (!request.isEnded()) {
                var _ = request.connection().close();
            }
        });
    }

    /** Prevents the browser from storing the answer, showing it in a frame, or sending the address to other pages. */
    private static HttpServerResponse protect(HttpServerResponse response) {
        return response.putHeader("Cache-Control", "no-store")
                .putHeader("Referrer-Policy", "no-referrer")
                .putHeader("X-Content-Type-Options", "nosniff")
                .putHeader("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'");
    }
}
