package dev.sluice.management;

import dev.sluice.metrics.ScrapeAcceptHeader;
import java.util.LinkedHashMap;
import java.util.SequencedMap;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The list of paths that {@code GET /} shows. Only one event loop may use it. */
final class ManagementPathIndex {

    private static final String JSON = "application/json";

    private final SequencedMap<String, String> paths = new LinkedHashMap<>();

    record IndexPage(String contentType, String body) {}

    /**
     * Adds a path.
     *
     * @param answers describes the answers of this path, without a full stop
     */
    void add(String path, String answers) {
        paths.put(path, answers);
    }

    /**
     * Returns the paths that a client may read. The result is text, or JSON if the client prefers that. The JSON has
     * the form in which kube-apiserver lists its own paths.
     */
    IndexPage page(@Nullable String accept, Predicate<String> mayRead) {
        ScrapeAcceptHeader header = new ScrapeAcceptHeader(accept);
        double json = header.weight(JSON, "application/*");
        return json > 0 && json >= header.weight("text/plain", "text/*")
                ? new IndexPage(JSON, json(mayRead))
                : new IndexPage("text/plain; charset=utf-8", text(mayRead));
    }

    private String json(Predicate<String> mayRead) {
        return paths.keySet().stream()
                .filter(mayRead)
                .map(path -> '"' + path + '"')
                .collect(Collectors.joining(", ", "{\"paths\": [", "]}\n"));
    }

    private String text(Predicate<String> mayRead) {
        int width = paths.keySet().stream().mapToInt(String::length).max().orElse(0);
        String lines = paths.entrySet().stream()
                .filter(path -> mayRead.test(path.getKey()))
                .map(path -> path.getKey() + " ".repeat(width - path.getKey().length() + 2) + path.getValue() + "\n")
                .collect(Collectors.joining());
        return paths.keySet().stream().allMatch(mayRead)
                ? lines
                : lines
                        + "\nYou may not read the other paths, or have sent no bearer token (management.access: kubernetes).\n";
    }
}
