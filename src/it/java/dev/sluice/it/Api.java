package dev.sluice.it;

import com.fasterxml.jackson.databind.JsonNode;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.List;
import java.util.regex.Pattern;
import javax.net.ssl.SSLContext;

/** The API server by plain requests, because typed clients keep status, warnings and text to themselves. */
record Api(HttpClient http, String server, String token) {

    /** {@code 299 - "text"}; quotes and backslashes within are escaped. */
    private static final Pattern WARNING = Pattern.compile("299 \\S+ \"((?:[^\"\\\\]|\\\\.)*)\"");

    /** What came back. */
    record Answer(int status, List<String> warnings, String body) {

        JsonNode json() {
            return Serialization.unmarshal(body, JsonNode.class);
        }

        /** Why it was refused, or nothing. */
        String message() {
            return json().path("message").asText();
        }

        Pod pod() {
            if (status != 201) {
                throw new AssertionError("no pod was created: " + status + " " + body);
            }
            return Serialization.unmarshal(body, Pod.class);
        }
    }

    static Api to(String server, String token, SSLContext trust) {
        return new Api(
                HttpClient.newBuilder()
                        .sslContext(trust)
                        .version(HttpClient.Version.HTTP_1_1)
                        .connectTimeout(Duration.ofSeconds(5))
                        .build(),
                server,
                token);
    }

    Answer get(String path) throws IOException, InterruptedException {
        return send(request(path).GET().build());
    }

    Answer create(HasMetadata object, String path) throws IOException, InterruptedException {
        return create(Serialization.asJson(object), path);
    }

    Answer create(String json, String path) throws IOException, InterruptedException {
        return send(request(path)
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofString(json))
                .build());
    }

    Answer delete(String path) throws IOException, InterruptedException {
        return send(request(path).DELETE().build());
    }

    MetricsPage metrics() throws IOException, InterruptedException {
        return MetricsPage.of(get("/metrics").body());
    }

    /** Returns how often this API server admitted a pod although our webhook had not answered. */
    double failOpenCount() throws IOException, InterruptedException {
        return metrics().sum("apiserver_admission_webhook_fail_open_count", "name=\"gpu-allocation.k8s.io\"");
    }

    private HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(URI.create(server + path))
                .timeout(Duration.ofSeconds(40))
                .header("Authorization", "Bearer " + token);
    }

    private Answer send(HttpRequest request) throws IOException, InterruptedException {
        var response = http.send(request, BodyHandlers.ofString());
        List<String> warnings = response.headers().allValues("Warning").stream()
                .flatMap(header -> WARNING.matcher(header).results())
                .map(found -> found.group(1).replaceAll("\\\\(.)", "$1"))
                .toList();
        return new Answer(response.statusCode(), warnings, response.body());
    }
}
