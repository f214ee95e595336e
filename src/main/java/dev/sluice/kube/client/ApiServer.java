package dev.sluice.kube.client;

import com.fasterxml.jackson.core.JsonParser;
import dev.sluice.json.Parsers;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.RequestConfigBuilder;
import io.fabric8.kubernetes.client.http.AsyncBody;
import io.fabric8.kubernetes.client.http.HttpClient;
import io.fabric8.kubernetes.client.http.HttpRequest;
import io.fabric8.kubernetes.client.http.HttpResponse;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.URI;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Sends requests with the client's transport, address and credentials. */
public final class ApiServer {

    private final HttpClient http;
    private final URI root;

    public ApiServer(KubernetesClient client) {
        this.http = withoutRetries(client.getHttpClient());
        this.root = URI.create(client.getMasterUrl().toString());
    }

    /** The reflector retries by itself: the client's retries would hide failures for minutes. */
    private static HttpClient withoutRetries(HttpClient http) {
        return http.newBuilder()
                .tag(new RequestConfigBuilder().withRequestRetryBackoffLimit(0).build())
                .build();
    }

    /**
     * The body of the response, which has to be closed.
     *
     * @param timeout how long the response may take to begin
     * @param idleTimeout how long the body may be silent
     * @throws ApiFailure when the response is no success
     */
    public BodyStream get(String pathAndQuery, Duration timeout, Duration idleTimeout) throws IOException {
        return send(to(pathAndQuery), timeout, new BodyStream(idleTimeout));
    }

    /**
     * The body of the response to this JSON, which has to be closed.
     *
     * @param patience how long the response may take to begin, and its body may be silent
     * @throws ApiFailure when the response is no success
     */
    public BodyStream post(String path, String json, Duration patience) throws IOException {
        return send(to(path).post("application/json", json), patience, new BodyStream(patience));
    }

    private HttpRequest.Builder to(String pathAndQuery) {
        return http.newHttpRequestBuilder().uri(root.resolve(pathAndQuery)).header("Accept", "application/json");
    }

    private BodyStream send(HttpRequest.Builder request, Duration timeout, BodyStream stream) throws IOException {
        HttpResponse<AsyncBody> response = response(request.forStreaming().build(), stream, timeout);
        stream.open(response.body());
        if (!response.isSuccessful()) {
            try (stream) {
                throw failure(response.code(), stream);
            }
        }
        return stream;
    }

    private HttpResponse<AsyncBody> response(HttpRequest request, BodyStream stream, Duration timeout)
            throws IOException {
        CompletableFuture<HttpResponse<AsyncBody>> answer = http.consumeBytes(request, stream);
        try {
            return answer.get(timeout.toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException failed) {
            throw new IOException(root + " cannot be reached: " + ConnectionFailure.reason(failed), failed.getCause());
        } catch (TimeoutException silent) {
            abandon(answer);
            throw new IOException(root + " did not answer within " + timeout.toSeconds() + " s", silent);
        } catch (InterruptedException stopped) {
            abandon(answer);
            Thread.currentThread().interrupt();
            throw (InterruptedIOException) new InterruptedIOException("stopped").initCause(stopped);
        }
    }

    private static void abandon(CompletableFuture<HttpResponse<AsyncBody>> answer) {
        var _ = answer.thenAccept(late -> late.body().cancel());
        answer.cancel(true);
    }

    /** The body is a Status, unless something other than an API server answered. */
    private static ApiFailure failure(int code, BodyStream body) {
        try (JsonParser parser = Parsers.json(body)) {
            parser.nextToken();
            ApiStatus status = ApiStatus.read(parser);
            return new ApiFailure(new ApiStatus(code, status.reason(), status.message()));
        } catch (IOException noStatus) {
            return new ApiFailure(code, noStatus);
        }
    }
}
