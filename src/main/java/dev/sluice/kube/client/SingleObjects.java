package dev.sluice.kube.client;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.http.HttpClient;
import io.fabric8.kubernetes.client.http.HttpRequest;
import io.fabric8.kubernetes.client.http.HttpResponse;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.URI;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Reads and writes single objects with the transport, the address and the credentials of fabric8's client. */
public final class SingleObjects implements ApiServerObjectAccess {

    /**
     * The Accept header with which the API server leaves out spec and status. Both may be large, and callers of
     * {@link #metadata} do not need them.
     */
    private static final String METADATA_ONLY = "application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1";

    private static final Duration TIMEOUT = Duration.ofSeconds(10);

    private static final ObjectMapper JSON = new ObjectMapper();

    private final HttpClient http;
    private final URI root;

    public SingleObjects(KubernetesClient client) {
        this.http = ApiServer.withoutRetries(client.getHttpClient());
        this.root = URI.create(client.getMasterUrl().toString());
    }

    @Override
    public JsonNode metadata(String path) throws IOException {
        return JSON.readTree(answer(request(path).header("Accept", METADATA_ONLY)));
    }

    @Override
    public JsonNode object(String path) throws IOException {
        return JSON.readTree(answer(request(path)));
    }

    @Override
    public void create(String path, JsonNode object) throws IOException {
        var _ = answer(request(path).post("application/json", JSON.writeValueAsBytes(object)));
    }

    @Override
    public void merge(String path, JsonNode patch) throws IOException {
        var _ = answer(request(path).method("PATCH", "application/merge-patch+json", JSON.writeValueAsString(patch)));
    }

    private HttpRequest.Builder request(String path) {
        return http.newHttpRequestBuilder().uri(root.resolve(path)).timeout(TIMEOUT.toMillis(), TimeUnit.MILLISECONDS);
    }

    private byte[] answer(HttpRequest.Builder request) throws IOException {
        Future<HttpResponse<byte[]>> sent = http.sendAsync(request.build(), byte[].class);
        try {
            HttpResponse<byte[]> answer = sent.get(TIMEOUT.toMillis(), TimeUnit.MILLISECONDS);
            if (!answer.isSuccessful()) {
                throw failure(answer);
            }
            return answer.body();
        } catch (ExecutionException failed) {
            throw new IOException(
                    root + " cannot be reached: " + ApiServerConnectionFailure.reason(failed), failed.getCause());
        } catch (TimeoutException silent) {
            sent.cancel(true);
            throw new IOException(root + " did not answer within " + TIMEOUT.toSeconds() + " s", silent);
        } catch (InterruptedException stopped) {
            sent.cancel(true);
            Thread.currentThread().interrupt();
            throw (InterruptedIOException) new InterruptedIOException("stopped").initCause(stopped);
        }
    }

    private static ApiFailure failure(HttpResponse<byte[]> answer) {
        try {
            JsonNode status = JSON.readTree(answer.body());
            return new ApiFailure(new ApiStatus(
                    answer.code(),
                    status.path("reason").asText(""),
                    status.path("message").asText("")));
        } catch (IOException noStatus) {
            return new ApiFailure(answer.code(), noStatus);
        }
    }
}
