package dev.sluice.cli.doctor;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import java.util.Queue;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;

/** Serves the items of a List as an API server does: kind by kind, one to a page, without their kinds. */
final class ListServer implements AutoCloseable {

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final int PAGE = 1;

    /** Paths, queries included. */
    final Queue<String> asked = new ConcurrentLinkedQueue<>();

    private final Map<String, Integer> refused = new ConcurrentHashMap<>();
    private final Map<String, ArrayNode> lists = new TreeMap<>();
    private final HttpServer server;

    ListServer(JsonNode list) throws IOException {
        for (JsonNode item : list.path("items")) {
            if (item instanceof ObjectNode object) {
                put(object.deepCopy());
            }
        }
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", this::answer);
        server.setExecutor(Executors.newCachedThreadPool());
        server.start();
    }

    /** One permit for each time that the nodes were asked for. */
    final Semaphore rounds = new Semaphore(0);

    synchronized void put(ObjectNode object) {
        String version = object.path("apiVersion").asText();
        String path = (version.contains("/") ? "/apis/" : "/api/") + version + "/"
                + object.path("kind").asText().toLowerCase(Locale.ROOT)
                + (object.path("kind").asText().endsWith("s") ? "es" : "s");
        object.remove("kind");
        object.remove("apiVersion");
        lists.computeIfAbsent(path, _ -> JSON.createArrayNode()).add(object);
    }

    /** All requests whose path ends so get this code. */
    void refuse(String plural, int code) {
        refused.put(plural, code);
    }

    Path kubeconfig(Path directory) throws IOException {
        return Files.writeString(directory.resolve("kubeconfig"), """
                apiVersion: v1
                kind: Config
                current-context: lab
                clusters: [{name: lab, cluster: {server: "http://127.0.0.1:%d"}}]
                users: [{name: me, user: {}}]
                contexts: [{name: lab, context: {cluster: lab, user: me}}]
                """.formatted(
                        server.getAddress().getPort()));
    }

    private void answer(HttpExchange exchange) throws IOException {
        asked.add(exchange.getRequestURI().toString());
        String path = exchange.getRequestURI().getPath();
        if (path.endsWith("/nodes") && !exchange.getRequestURI().getQuery().contains("continue")) {
            rounds.release();
        }
        Integer code = refused.get(path.substring(path.lastIndexOf('/') + 1));
        boolean served = isServed(path);
        ObjectNode body = code != null || !served
                ? JSON.createObjectNode().put("kind", "Status").put("message", "not for you")
                : page(path, exchange.getRequestURI().getQuery());
        byte[] bytes = JSON.writeValueAsBytes(body);
        exchange.sendResponseHeaders(code != null ? code : served ? 200 : 404, bytes.length);
        try (OutputStream out = exchange.getResponseBody()) {
            out.write(bytes);
        }
    }

    private synchronized boolean isServed(String path) {
        return !path.contains("resource.k8s.io") || lists.containsKey(path);
    }

    private synchronized ObjectNode page(String path, String query) {
        ArrayNode all = lists.getOrDefault(path, JSON.createArrayNode());
        int from = query.contains("continue=") ? Integer.parseInt(query.replaceFirst(".*continue=", "")) : 0;
        ObjectNode page = JSON.createObjectNode().put("kind", "SomeList").put("apiVersion", "v1");
        ObjectNode metadata = page.putObject("metadata").put("resourceVersion", "7");
        if (from + PAGE < all.size()) {
            metadata.put("continue", String.valueOf(from + PAGE));
        }
        ArrayNode items = page.putArray("items");
        for (int i = from; i < Math.min(all.size(), from + PAGE); i++) {
            items.add(all.get(i));
        }
        return page;
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
