package dev.sluice.it;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Stands in for an API server that lists empty kinds at once, and answers questions about tokens only after minutes.
 */
final class SlowApiServer implements AutoCloseable {

    private static final int MINUTES_MILLIS = 300_000;
    private static final int WATCH_MILLIS = 5_000;

    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final AtomicInteger asked = new AtomicInteger();
    private final HttpServer server;

    SlowApiServer() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(threads);
        server.createContext("/", this::answer);
        server.start();
    }

    /** How many questions about tokens have come. */
    int asked() {
        return asked.get();
    }

    Path kubeconfig(Path directory) throws IOException {
        return Files.writeString(directory.resolve("kubeconfig"), """
                apiVersion: v1
                kind: Config
                current-context: slow
                contexts: [{name: slow, context: {cluster: slow, user: slow}}]
                clusters: [{name: slow, cluster: {server: "http://127.0.0.1:%d"}}]
                users: [{name: slow, user: {token: secret}}]
                """.formatted(
                        server.getAddress().getPort()));
    }

    private void answer(HttpExchange exchange) throws IOException {
        try (exchange) {
            String query = String.valueOf(exchange.getRequestURI().getQuery());
            if (exchange.getRequestMethod().equals("POST")) {
                asked.incrementAndGet();
                Pause.millis(MINUTES_MILLIS);
            } else if (query.contains("watch=")) {
                exchange.sendResponseHeaders(200, 0);
                Pause.millis(WATCH_MILLIS);
            } else {
                String path = exchange.getRequestURI().getPath();
                String kind =
                        path.endsWith("/nodes") ? "NodeList" : path.endsWith("/pods") ? "PodList" : "LimitRangeList";
                byte[] list = """
                        {"kind": "%s", "apiVersion": "v1", "metadata": {"resourceVersion": "10"}, "items": []}
                        """.formatted(kind).getBytes(UTF_8);
                exchange.getResponseHeaders().add("Content-Type", "application/json");
                exchange.sendResponseHeaders(200, list.length);
                exchange.getResponseBody().write(list);
            }
        }
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}
