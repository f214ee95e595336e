package dev.sluice.it;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** A Chromium without a window and with one page, which is driven by the Chrome DevTools Protocol. */
public final class Browser implements AutoCloseable {

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Duration START = Duration.ofMinutes(1);

    private final Undertaker undertaker = new Undertaker();
    private final Daemon daemon;
    private final HttpClient http = HttpClient.newHttpClient();
    private final WebSocket socket;
    private final AtomicInteger last = new AtomicInteger();
    private final Map<Integer, CompletableFuture<JsonNode>> waiting = new ConcurrentHashMap<>();
    private final List<String> errors = new CopyOnWriteArrayList<>();
    private final String target;
    private final String session;

    /**
     * Starts a browser.
     *
     * @param directory an empty directory for its profile
     */
    public Browser(Path directory) throws IOException {
        daemon = new Daemon(
                undertaker,
                directory.resolve("chromium.log"),
                List.of(
                        "chromium",
                        "--headless",
                        "--no-sandbox",
                        "--disable-gpu",
                        "--disable-quic",
                        "--no-first-run",
                        "--disable-background-networking",
                        "--disable-component-update",
                        "--disable-sync",
                        "--ignore-certificate-errors",
                        "--remote-debugging-port=0",
                        "--user-data-dir=" + directory.resolve("profile"),
                        "about:blank"),
                Map.of());
        daemon.start();
        Path port = directory.resolve("profile").resolve("DevToolsActivePort");
        Eventually.within(
                START,
                "Chromium listens",
                () -> daemon.runs()
                        && Files.exists(port)
                        && Files.readAllLines(port).size() == 2);
        List<String> address = Files.readAllLines(port);
        socket = http.newWebSocketBuilder()
                .buildAsync(URI.create("ws://127.0.0.1:" + address.get(0) + address.get(1)), new Messages())
                .join();
        target = openTab();
        session = send("", "Target.attachToTarget", Map.of("targetId", target, "flatten", true))
                .path("sessionId")
                .asText();
        for (String domain : List.of("Page", "Runtime", "Log", "Performance")) {
            var _ = call(domain + ".enable", Map.of());
        }
    }

    /** Joins the parts of messages, completes what waits for an answer, and keeps what the page complains about. */
    private final class Messages implements WebSocket.Listener {
        private final StringBuilder text = new StringBuilder();

        @Override
        public @Nullable CompletionStage<?> onText(WebSocket from, CharSequence part, boolean isLast) {
            text.append(part);
            if (isLast) {
                String whole = text.toString();
                text.setLength(0);
                try {
                    take(JSON.readTree(whole));
                } catch (IOException broken) {
                    errors.add(broken.toString());
                }
            }
            from.request(1);
            return null;
        }
    }

    private void take(JsonNode message) {
        if (message.has("id")) {
            CompletableFuture<JsonNode> asked =
                    waiting.remove(message.path("id").asInt());
            if (asked != null) {
                asked.complete(message);
            }
            return;
        }
        JsonNode about = message.path("params");
        switch (message.path("method").asText()) {
            case "Runtime.exceptionThrown" ->
                errors.add(about.path("exceptionDetails").toString());
            case "Log.entryAdded" -> {
                // An answer that the page shows as a refusal is an error of the network, too.
                if (about.path("entry").path("level").asText().equals("error")
                        && !about.path("entry").path("source").asText().equals("network")) {
                    errors.add(about.path("entry").toString());
                }
            }
            default -> {}
        }
    }

    /** Calls a method of the page. */
    public JsonNode call(String method, Map<String, ?> parameters) {
        return send(session, method, parameters);
    }

    private JsonNode send(String to, String method, Map<String, ?> parameters) {
        int id = last.incrementAndGet();
        ObjectNode message = JSON.createObjectNode().put("id", id).put("method", method);
        message.set("params", JSON.valueToTree(parameters));
        if (!to.isEmpty()) {
            message.put("sessionId", to);
        }
        CompletableFuture<JsonNode> answer = new CompletableFuture<>();
        waiting.put(id, answer);
        socket.sendText(message.toString(), true).join();
        JsonNode answered =
                answer.orTimeout(START.toSeconds(), TimeUnit.SECONDS).join();
        if (answered.has("error")) {
            throw new IllegalStateException(method + ": " + answered.path("error"));
        }
        return answered.path("result");
    }

    private String openTab() {
        return send("", "Target.createTarget", Map.of("url", "about:blank"))
                .path("targetId")
                .asText();
    }

    /** Hides the page behind another tab. */
    public void hide() {
        var _ = openTab();
        until("the page is hidden", "document.hidden");
    }

    /** Brings the page to the front again. */
    public void show() {
        var _ = send("", "Target.activateTarget", Map.of("targetId", target));
        until("the page is visible", "!document.hidden");
    }

    /** Opens an address and waits until its scripts have begun. */
    public void open(String url) {
        // The same page with another fragment would not be loaded again.
        var _ = call("Page.navigate", Map.of("url", "about:blank"));
        var _ = call("Page.navigate", Map.of("url", url));
    }

    /** Returns the value of an expression. It may be a promise. */
    public JsonNode value(String expression) {
        JsonNode answer = call(
                "Runtime.evaluate",
                Map.of("expression", expression, "awaitPromise", true, "returnByValue", true, "userGesture", true));
        if (answer.has("exceptionDetails")) {
            throw new IllegalStateException(expression + ": " + answer.path("exceptionDetails"));
        }
        return answer.path("result").path("value");
    }

    /** Waits until an expression is true. */
    public void until(String what, String expression) {
        Eventually.holds(what, () -> value("Boolean(" + expression + ")").asBoolean());
    }

    /** Waits until something outside of the page is true. */
    public static void await(String what, BooleanSupplier holds) {
        Eventually.holds(what, holds::getAsBoolean);
    }

    /** Returns the text of the first element that a selector chooses, or an empty text. */
    public String text(String selector) {
        return value("document.querySelector(" + quoted(selector) + ")?.innerText ?? ''")
                .asText();
    }

    public void click(String selector) {
        var _ = value("document.querySelector(" + quoted(selector) + ").click()");
    }

    /** Types a text into a field, as a person would. */
    public void type(String selector, String text) {
        var _ = value("document.querySelector(" + quoted(selector) + ").focus()");
        var _ = call("Input.insertText", Map.of("text", text));
    }

    /** Presses a key that has a name, such as Enter. */
    public void press(String key) {
        Map<String, Integer> codes = Map.of(
                "Enter",
                13,
                "Escape",
                27,
                "ArrowLeft",
                37,
                "ArrowUp",
                38,
                "ArrowRight",
                39,
                "ArrowDown",
                40,
                "End",
                35);
        for (String type : List.of("keyDown", "keyUp")) {
            var _ = call(
                    "Input.dispatchKeyEvent",
                    Map.of(
                            "type",
                            type,
                            "key",
                            key,
                            "code",
                            key,
                            "windowsVirtualKeyCode",
                            codes.getOrDefault(key, 0),
                            "text",
                            type.equals("keyDown") && key.equals("Enter") ? "\r" : ""));
        }
    }

    public void size(int width, int height) {
        var _ = call(
                "Emulation.setDeviceMetricsOverride",
                Map.of("width", width, "height", height, "deviceScaleFactor", 1, "mobile", width < 500));
    }

    /**
     * Chooses a theme.
     *
     * @param theme light or dark
     */
    public void theme(String theme) {
        var _ = call(
                "Emulation.setEmulatedMedia",
                Map.of("features", List.of(Map.of("name", "prefers-color-scheme", "value", theme))));
    }

    public void picture(Path file) throws IOException {
        String data = call("Page.captureScreenshot", Map.of("format", "png"))
                .path("data")
                .asText();
        Files.createDirectories(file.toAbsolutePath().getParent());
        Files.write(file, Base64.getDecoder().decode(data));
    }

    /** Prints the page on A4, without colours of backgrounds unless the page insists on them. */
    public void print(Path file) throws IOException {
        String data = call("Page.printToPDF", Map.of("paperWidth", 8.27, "paperHeight", 11.69))
                .path("data")
                .asText();
        Files.createDirectories(file.toAbsolutePath().getParent());
        Files.write(file, Base64.getDecoder().decode(data));
    }

    /** Returns a number that the browser measures, such as ScriptDuration. */
    public double metric(String name) {
        for (JsonNode metric : call("Performance.getMetrics", Map.of()).path("metrics")) {
            if (metric.path("name").asText().equals(name)) {
                return metric.path("value").asDouble();
            }
        }
        throw new IllegalArgumentException(name);
    }

    /** Returns the faults that axe finds for people who use a keyboard or a screen reader. */
    public String violations() throws IOException {
        try (InputStream axe =
                Browser.class.getResourceAsStream("/META-INF/resources/webjars/axe-core/4.6.3/axe.min.js")) {
            var _ = value(new String(Objects.requireNonNull(axe).readAllBytes(), StandardCharsets.UTF_8) + ";true");
        }
        return value("""
                axe.run().then(found => found.violations.map(one => one.id + ': ' + one.help + ' ' +
                    one.nodes.slice(0, 3).map(node => node.target.join(' ') + ' ' + node.failureSummary).join(' | ')).join('\\n'))
                """).asText();
    }

    /** Returns the exceptions of the page, and what the Content-Security-Policy has forbidden. */
    public List<String> errors() {
        return List.copyOf(errors);
    }

    /** Returns a text as a literal of JavaScript. */
    public static String quoted(String text) {
        return JSON.valueToTree(text).toString();
    }

    @Override
    public void close() throws IOException {
        socket.abort();
        try {
            daemon.stopWithDescendants();
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
        undertaker.finish();
        http.close();
    }
}
