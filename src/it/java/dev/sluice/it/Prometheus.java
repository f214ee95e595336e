package dev.sluice.it;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.sluice.Ports;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * A Prometheus of the test's own, with our rules, that scrapes one gateway each second under the job of the PodMonitor.
 */
final class Prometheus implements AutoCloseable {

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Duration START = Duration.ofMinutes(1);

    private final HttpClient http = HttpClient.newHttpClient();
    private final Undertaker undertaker = new Undertaker();
    private final int port = Ports.free();
    private final Daemon daemon;

    Prometheus(Path directory, int scraped) throws IOException {
        Files.writeString(directory.resolve("rules.yaml"), Monitoring.rules());
        Path configuration = Files.writeString(directory.resolve("prometheus.yml"), """
                global: {scrape_interval: 1s, evaluation_interval: 1s}
                rule_files: [rules.yaml]
                scrape_configs:
                  - job_name: gpu-webhook
                    static_configs: [{targets: ['127.0.0.1:%d']}]
                """.formatted(scraped));
        daemon = new Daemon(
                undertaker,
                directory.resolve("prometheus.log"),
                List.of(
                        "prometheus",
                        "--config.file=" + configuration,
                        "--storage.tsdb.path=" + directory.resolve("data"),
                        "--web.listen-address=127.0.0.1:" + port),
                Map.of());
        daemon.start();
        Eventually.within(START, "Prometheus has scraped the gateway", () -> daemon.runs() && hasScraped());
    }

    private boolean hasScraped() throws IOException, InterruptedException {
        return !query("up{job=\"gpu-webhook\"} == 1").isEmpty();
    }

    /** The vector that an expression comes to now. */
    JsonNode query(String expression) throws IOException, InterruptedException {
        return answer("query?query=" + URLEncoder.encode(expression, StandardCharsets.UTF_8))
                .path("result");
    }

    /** All groups of rules, with how their last evaluation went. */
    JsonNode rules() throws IOException, InterruptedException {
        return answer("rules").path("groups");
    }

    private JsonNode answer(String path) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/api/v1/" + path))
                .timeout(Duration.ofSeconds(10))
                .build();
        JsonNode answer =
                JSON.readTree(http.send(request, BodyHandlers.ofString()).body());
        if (!answer.path("status").asText().equals("success")) {
            throw new IllegalStateException(path + ": " + answer);
        }
        return answer.path("data");
    }

    @Override
    public void close() throws IOException {
        try {
            daemon.stop();
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
        undertaker.finish();
        http.close();
    }
}
