package dev.sluice.bench;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import javax.net.ssl.SSLContext;

/**
 * As much of an API server as a gateway needs that is trained: it lists nodes and pods in pages, serves watches, ends
 * them with 410 when told to, and keeps one Lease. It speaks TLS, as a real one does.
 */
final class TrainingApi implements AutoCloseable {

    static final int NODES = 60;
    static final int PODS = 240;
    private static final int PAGE = 50;

    private static final String NODES_PATH = "/api/v1/nodes";
    private static final String PODS_PATH = "/api/v1/pods";
    private static final List<PodKind> KINDS =
            List.of(PodKind.NO_GPU, PodKind.OFFERED, PodKind.NO_GPU, PodKind.BY_PRODUCT);

    private final HttpsServer server;
    /** Ended with the server: a thread of it that has nothing to do would hold the build for a minute. */
    private final ExecutorService threads = Executors.newCachedThreadPool();

    private final AtomicLong version = new AtomicLong(1_000_000);
    private final AtomicReference<String> lease = new AtomicReference<>("");
    private final Map<String, List<OutputStream>> watches = new ConcurrentHashMap<>();

    TrainingApi(SSLContext identity) throws IOException {
        server = HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setHttpsConfigurator(new HttpsConfigurator(identity));
        server.setExecutor(threads);
        server.createContext(NODES_PATH, exchange -> objects(exchange, NODES_PATH, "Node", nodes()));
        server.createContext(PODS_PATH, exchange -> objects(exchange, PODS_PATH, "Pod", pods()));
        server.createContext("/apis/coordination.k8s.io/", this::lease);
        server.createContext("/", exchange -> answer(exchange, 404, status(404, "NotFound")));
        server.start();
    }

    String url() {
        return "https://127.0.0.1:" + server.getAddress().getPort();
    }

    private static List<String> nodes() {
        return IntStream.range(0, NODES).mapToObj(SampleNodes::node).toList();
    }

    private static List<String> pods() {
        return IntStream.range(0, PODS).mapToObj(TrainingApi::pod).toList();
    }

    /** A stored pod; those of one kind ask for no GPU. */
    static String pod(int number) {
        return SamplePods.stored(KINDS.get(number % KINDS.size()), number, SampleNodes.name(number % NODES));
    }

    private void objects(HttpExchange exchange, String path, String kind, List<String> all) throws IOException {
        String query = String.valueOf(exchange.getRequestURI().getQuery());
        if (query.contains("watch=true")) {
            exchange.sendResponseHeaders(200, 0);
            // Kept open: the exchange ends when the watch is ended.
            watches(path).add(exchange.getResponseBody());
            exchange.getResponseBody().flush();
            return;
        }
        int from = query.contains("continue=") ? Integer.parseInt(query.replaceAll(".*continue=([0-9]+).*", "$1")) : 0;
        int to = Math.min(from + PAGE, all.size());
        answer(
                exchange,
                200,
                "{\"kind\":\"%sList\",\"apiVersion\":\"v1\",\"metadata\":{\"resourceVersion\":\"%d\",\"continue\":\"%s\"},\"items\":[%s]}"
                        .formatted(
                                kind,
                                version.get(),
                                to < all.size() ? to : "",
                                String.join(",", all.subList(from, to))));
    }

    private List<OutputStream> watches(String path) {
        return watches.computeIfAbsent(path, _ -> new CopyOnWriteArrayList<>());
    }

    /** There is none until the gateway makes it. */
    private void lease(HttpExchange exchange) throws IOException {
        String sent = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
        if (exchange.getRequestMethod().equals("GET")) {
            String kept = lease.get();
            answer(exchange, kept.isEmpty() ? 404 : 200, kept.isEmpty() ? status(404, "NotFound") : kept);
        } else {
            lease.set(sent);
            answer(exchange, exchange.getRequestMethod().equals("POST") ? 201 : 200, sent);
        }
    }

    private static String status(int code, String reason) {
        return "{\"kind\":\"Status\",\"apiVersion\":\"v1\",\"status\":\"Failure\",\"message\":\"there is none\",\"reason\":\"%s\",\"code\":%d}"
                .formatted(reason, code);
    }

    private static void answer(HttpExchange exchange, int code, String body) throws IOException {
        byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().set("Content-Type", "application/json");
        // Zero means in chunks, as an API server sends lists.
        exchange.sendResponseHeaders(code, 0);
        exchange.getResponseBody().write(bytes);
        exchange.close();
    }

    /** A pod comes, runs on its node, and goes; and a node reports. */
    void change(int number) {
        String pod = pod(PODS + number % PODS);
        tell(PODS_PATH, "ADDED", pod);
        tell(PODS_PATH, "MODIFIED", pod.replace("\"restartCount\":0", "\"restartCount\":1"));
        tell(NODES_PATH, "MODIFIED", SampleNodes.node(number % NODES));
        tell(PODS_PATH, "DELETED", pod);
        tell(PODS_PATH, "BOOKMARK", "{\"kind\":\"Pod\",\"apiVersion\":\"v1\",\"metadata\":{}}");
    }

    /** The past is forgotten, so that the gateway lists anew. */
    void forget() throws IOException {
        for (String path : List.of(NODES_PATH, PODS_PATH)) {
            send(path, "{\"type\":\"ERROR\",\"object\":" + status(410, "Expired") + "}\n");
            List<OutputStream> ended = List.copyOf(watches(path));
            watches(path).removeAll(ended);
            for (OutputStream watch : ended) {
                watch.close();
            }
        }
    }

    private void tell(String path, String type, String object) {
        String newer = object.replaceFirst(
                "(\"metadata\": ?\\{)", "$1\"resourceVersion\":\"" + version.incrementAndGet() + "\",");
        String once = newer.replaceFirst(
                        "(?s)(\"resourceVersion\":\"[0-9]+\",.*?)\"resourceVersion\": ?\"[0-9]+\",", "$1")
                .replace(",}", "}");
        send(path, "{\"type\":\"" + type + "\",\"object\":" + once.replace("\n", "") + "}\n");
    }

    private void send(String path, String line) {
        for (OutputStream watch : watches(path)) {
            try {
                watch.write(line.getBytes(StandardCharsets.UTF_8));
                watch.flush();
            } catch (IOException gone) {
                watches(path).remove(watch);
            }
        }
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdown();
    }
}
