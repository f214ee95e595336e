package dev.sluice.it;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.Executors;
import java.util.concurrent.locks.LockSupport;
import javax.net.ssl.SSLContext;

/** What lies between a gateway and the API server: it lets requests through, or treats some paths as it is told. */
final class Passage implements AutoCloseable {

    /** What happens to a request, and to an answer that is under way. */
    enum Treatment {
        OPEN,
        /** Nothing comes through, and nobody is told: the connection stays up. */
        SILENT,
        FORBIDDEN(403),
        OVERLOADED(429),
        BROKEN(500),
        /** The answer ends as soon as it has begun. */
        CUT;

        private final int status;

        Treatment() {
            this(0);
        }

        Treatment(int status) {
            this.status = status;
        }
    }

    private static final int BUFFER = 16 * 1024;
    private static final long LOOK_NANOS = Duration.ofMillis(20).toNanos();

    private final HttpServer server;
    private final HttpClient beyond;
    private final String apiServer;
    private final ConcurrentMap<String, Treatment> treatments = new ConcurrentHashMap<>();
    private volatile boolean closed;

    Passage(String apiServer, SSLContext trust) throws IOException {
        this.apiServer = apiServer;
        beyond = HttpClient.newBuilder()
                .sslContext(trust)
                .version(HttpClient.Version.HTTP_1_1)
                .build();
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        server.createContext("/", this::pass);
        server.start();
    }

    String url() {
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    /** From now on this path is treated so, with and without a query. */
    void treat(String path, Treatment treatment) {
        treatments.put(path, treatment);
    }

    private Treatment treatment(HttpExchange exchange) {
        return treatments.getOrDefault(exchange.getRequestURI().getPath(), Treatment.OPEN);
    }

    private void pass(HttpExchange exchange) throws IOException {
        try (exchange) {
            awaitSound(exchange);
            Treatment treatment = treatment(exchange);
            if (treatment.status > 0) {
                exchange.sendResponseHeaders(treatment.status, -1);
            } else {
                forward(exchange, treatment);
            }
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
    }

    private void forward(HttpExchange exchange, Treatment treatment) throws IOException, InterruptedException {
        HttpResponse<InputStream> response = beyond.send(request(exchange), BodyHandlers.ofInputStream());
        response.headers()
                .firstValue("Content-Type")
                .ifPresent(type -> exchange.getResponseHeaders().set("Content-Type", type));
        exchange.sendResponseHeaders(response.statusCode(), 0);
        try (InputStream from = response.body();
                OutputStream to = exchange.getResponseBody()) {
            byte[] buffer = new byte[BUFFER];
            int count = treatment == Treatment.CUT ? -1 : from.read(buffer);
            while (count >= 0 && !closed) {
                awaitSound(exchange);
                to.write(buffer, 0, count);
                to.flush();
                count = from.read(buffer);
            }
            awaitSound(exchange);
        }
    }

    private void awaitSound(HttpExchange exchange) {
        while (treatment(exchange) == Treatment.SILENT && !closed) {
            LockSupport.parkNanos(LOOK_NANOS);
        }
    }

    private HttpRequest request(HttpExchange exchange) throws IOException {
        Headers headers = exchange.getRequestHeaders();
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(apiServer + exchange.getRequestURI()))
                .method(
                        exchange.getRequestMethod(),
                        BodyPublishers.ofByteArray(exchange.getRequestBody().readAllBytes()));
        for (String name : new String[] {"Authorization", "Accept", "Content-Type"}) {
            String value = headers.getFirst(name);
            if (value != null) {
                request = request.header(name, value);
            }
        }
        return request.build();
    }

    @Override
    public void close() {
        closed = true;
        server.stop(0);
        beyond.shutdownNow();
    }
}
