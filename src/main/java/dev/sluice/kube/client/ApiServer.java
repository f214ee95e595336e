package dev.sluice.kube.client;

import com.fasterxml.jackson.core.JsonParser;
import dev.sluice.json.JsonParsers;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.RequestConfigBuilder;
import io.fabric8.kubernetes.client.http.AsyncBody;
import io.fabric8.kubernetes.client.http.HttpClient;
import io.fabric8.kubernetes.client.http.HttpRequest;
import io.fabric8.kubernetes.client.http.HttpResponse;
import io.fabric8.kubernetes.client.http.WebSocket;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** Sends HTTP requests to the API server, with the transport, the address and the credentials of fabric8's client. */
public final class ApiServer {

    private final HttpClient http;
    private final URI root;
    private volatile @Nullable Instant date;

    public ApiServer(KubernetesClient client) {
        this.http = withoutRetries(client.getHttpClient());
        this.root = URI.create(client.getMasterUrl().toString());
    }

    /**
     * Returns a client that does not repeat requests. The reflector repeats requests itself, and repetitions by the
     * client would hide a failure for minutes.
     */
    static HttpClient withoutRetries(HttpClient http) {
        return http.newBuilder()
                .tag(new RequestConfigBuilder().withRequestRetryBackoffLimit(0).build())
                .build();
    }

    /**
     * Sends a GET request and returns the body of the response, which the caller must close.
     *
     * @param timeout the maximum time until the response begins
     * @param idleTimeout the maximum time between two parts of the body
     * @throws ApiFailure if the API server answers with an error status
     */
    public ApiServerBodyStream get(String pathAndQuery, Duration timeout, Duration idleTimeout) throws IOException {
        return send(to(pathAndQuery), timeout, new ApiServerBodyStream(idleTimeout));
    }

    /**
     * Sends a POST request with this JSON and returns the body of the response, which the caller must close.
     *
     * @param timeout the maximum time until the response begins, and between two parts of its body
     * @throws ApiFailure if the API server answers with an error status
     */
    public ApiServerBodyStream post(String path, String json, Duration timeout) throws IOException {
        return send(to(path).post("application/json", json), timeout, new ApiServerBodyStream(timeout));
    }

    /**
     * Sends a GET request and returns the whole answer, also if its status is an error.
     *
     * @param timeout the maximum time until the response begins, and between two parts of its body
     */
    public ApiServerReply reply(String pathAndQuery, Duration timeout) throws IOException {
        return reply(to(pathAndQuery), timeout);
    }

    /** Sends a POST request with this JSON and returns the whole answer, also if its status is an error. */
    public ApiServerReply reply(String pathAndQuery, Duration timeout, String json) throws IOException {
        return reply(to(pathAndQuery).post("application/json", json), timeout);
    }

    private ApiServerReply reply(HttpRequest.Builder request, Duration timeout) throws IOException {
        try (ApiServerBodyStream stream = new ApiServerBodyStream(timeout)) {
            HttpResponse<AsyncBody> response = response(request.forStreaming().build(), stream, timeout);
            stream.open(response.body());
            byte[] body = stream.readNBytes(ApiServerReply.MOST_BYTES + 1);
            if (body.length > ApiServerReply.MOST_BYTES) {
                throw new IOException(root + " answered with more than " + ApiServerReply.MOST_BYTES + " bytes");
            }
            return ApiServerReply.of(response.code(), response.headers("Warning"), body);
        }
    }

    /** Returns a builder of a WebSocket to this path. A refused request is not repeated. */
    public WebSocket.Builder webSocket(String pathAndQuery) {
        return http.newWebSocketBuilder().uri(root.resolve(pathAndQuery));
    }

    private HttpRequest.Builder to(String pathAndQuery) {
        return http.newHttpRequestBuilder().uri(root.resolve(pathAndQuery)).header("Accept", "application/json");
    }

    private ApiServerBodyStream send(HttpRequest.Builder request, Duration timeout, ApiServerBodyStream stream)
            throws IOException {
        HttpResponse<AsyncBody> response = response(request.forStreaming().build(), stream, timeout);
        stream.open(response.body());
        seen(response.header("Date"));
        if (!response.isSuccessful()) {
            try (stream) {
                throw failure(response.code(), stream);
            }
        }
        return stream;
    }

    /**
     * Returns the header {@code Date} of the newest answer, which is the time of the API server. Returns empty if no
     * answer had a valid date.
     */
    public Optional<Instant> date() {
        return Optional.ofNullable(date);
    }

    private void seen(@Nullable String header) {
        if (header != null) {
            try {
                date = DateTimeFormatter.RFC_1123_DATE_TIME.parse(header, Instant::from);
            } catch (DateTimeParseException other) {
                // A proxy may have written an invalid date. The date of an earlier answer is then kept.
            }
        }
    }

    private HttpResponse<AsyncBody> response(HttpRequest request, ApiServerBodyStream stream, Duration timeout)
            throws IOException {
        CompletableFuture<HttpResponse<AsyncBody>> answer = sent(request, stream);
        try {
            return answer.get(timeout.toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException failed) {
            throw new IOException(
                    root + " cannot be reached: " + ApiServerConnectionFailure.reason(failed), failed.getCause());
        } catch (TimeoutException silent) {
            abandon(answer);
            throw new IOException(root + " did not answer within " + timeout.toSeconds() + " s", silent);
        } catch (InterruptedException stopped) {
            abandon(answer);
            Thread.currentThread().interrupt();
            throw (InterruptedIOException) new InterruptedIOException("stopped").initCause(stopped);
        }
    }

    /**
     * Sends the request. If a header has characters that HTTP does not allow, the JDK throws an exception with the
     * value of the header, which may be the bearer token. Therefore that exception is not passed on.
     */
    private CompletableFuture<HttpResponse<AsyncBody>> sent(HttpRequest request, ApiServerBodyStream stream)
            throws IOException {
        try {
            return http.consumeBytes(request, stream);
        } catch (IllegalArgumentException _) {
            throw new IOException("the credentials have a character that HTTP does not allow, such as a line break");
        }
    }

    private static void abandon(CompletableFuture<HttpResponse<AsyncBody>> answer) {
        var _ = answer.thenAccept(late -> late.body().cancel());
        answer.cancel(true);
    }

    /** Reads the body as a {@code Status}. The body may be something else if a proxy has answered. */
    private static ApiFailure failure(int code, ApiServerBodyStream body) {
        try (JsonParser parser = JsonParsers.json(body)) {
            parser.nextToken();
            ApiStatus status = ApiStatus.read(parser);
            return new ApiFailure(new ApiStatus(code, status.reason(), status.message()));
        } catch (IOException noStatus) {
            return new ApiFailure(code, noStatus);
        }
    }
}
