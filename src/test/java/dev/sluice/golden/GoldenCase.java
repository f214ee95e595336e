package dev.sluice.golden;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.MissingNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;

/**
 * A directory of {@code cases}: {@code pod.yaml} as its author wrote it, {@code cluster.yaml}, and the answer that is
 * expected in {@code response.json}. A case about the request around the pod has a {@code request.yaml}, whose fields
 * replace those of the request that is built. A case about the bytes of a review has a {@code review.json} instead of
 * both, and nothing is built.
 */
public record GoldenCase(Path directory) {

    private static final Path ALL = Path.of("src/test/resources/cases");
    private static final ObjectMapper JSON = new ObjectMapper();

    public static List<GoldenCase> all() throws IOException {
        try (Stream<Path> directories = Files.list(ALL)) {
            return directories.sorted().map(GoldenCase::new).toList();
        }
    }

    public static GoldenCase named(String name) {
        return new GoldenCase(ALL.resolve(name));
    }

    public String name() {
        return directory.getFileName().toString();
    }

    public Path cluster() {
        return directory.resolve("cluster.yaml");
    }

    /** The configuration, where it is not the default. */
    public Optional<Path> gateway() {
        return Optional.of(directory.resolve("gateway.yaml")).filter(Files::exists);
    }

    /** What the API server sends when the pod is created. */
    public byte[] review() throws IOException {
        Path written = directory.resolve("review.json");
        return Files.exists(written)
                ? Files.readAllBytes(written)
                : JSON.writeValueAsBytes(new CreationReview(name(), yaml("request.yaml")).of(yaml("pod.yaml")));
    }

    /** The pod as its author wrote it. */
    public JsonNode pod() throws IOException {
        return yaml("pod.yaml");
    }

    public JsonNode response() throws IOException {
        return JSON.readTree(directory.resolve("response.json").toFile());
    }

    public String why() throws IOException {
        return Files.readString(directory.resolve("why.txt"));
    }

    /**
     * What {@code sluice explain} is asked with. A pod is given as it is. A request that differs from an ordinary
     * creation is given as a review.
     *
     * @param scratch where a review that is built may be written
     */
    public List<Object> question(Path scratch) throws IOException {
        Path pod = directory.resolve("pod.yaml");
        if (Files.exists(pod) && !Files.exists(directory.resolve("request.yaml"))) {
            return List.of("-f", pod, "-n", CreationReview.namespaceOf(pod()));
        }
        return List.of("-f", Files.write(scratch.resolve("review.json"), review()));
    }

    private JsonNode yaml(String file) throws IOException {
        Path path = directory.resolve(file);
        if (!Files.exists(path)) {
            return MissingNode.getInstance();
        }
        return JSON.valueToTree(
                new Yaml(new SafeConstructor(new LoaderOptions())).<Object>load(Files.readString(path)));
    }

    @Override
    public String toString() {
        return name();
    }
}
