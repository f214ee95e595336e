package dev.sluice.golden;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.cli.console.UserProblem;
import dev.sluice.cli.offline.CaseDirectory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** A directory of {@code src/test/resources/cases}, in the form that {@code sluice test} reads. */
public record GoldenCase(Path directory) {

    public static final Path ALL = Path.of("src/test/resources/cases");

    /** The namespace of pods that name none, as in the review of {@code cli.offline}. */
    private static final String NAMESPACE = "team-a";

    public static List<GoldenCase> all() throws IOException {
        try (Stream<Path> directories = Files.list(ALL)) {
            return directories.sorted().map(GoldenCase::new).toList();
        }
    }

    public static GoldenCase named(String name) {
        return new GoldenCase(ALL.resolve(name));
    }

    private CaseDirectory files() {
        return new CaseDirectory(directory, ALL, NAMESPACE);
    }

    private interface Reading<T> {
        T read() throws UserProblem;
    }

    private static <T> T read(Reading<T> reading) {
        try {
            return reading.read();
        } catch (UserProblem problem) {
            throw new AssertionError(problem);
        }
    }

    public String name() {
        return files().name();
    }

    public Path cluster() {
        return files().cluster().orElseThrow();
    }

    /** The configuration, where it is not the default. */
    public Optional<Path> gateway() {
        return files().config();
    }

    /** What the API server sends when the pod is created. */
    public byte[] review() {
        return read(files()::review);
    }

    /** The pod as its author wrote it. */
    public JsonNode pod() {
        return read(files()::pod);
    }

    public JsonNode response() {
        return read(files()::response);
    }

    public String why() {
        return read(files()::why);
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
            return List.of("-f", pod, "-n", read(files()::namespace));
        }
        return List.of("-f", Files.write(scratch.resolve("review.json"), review()));
    }

    @Override
    public String toString() {
        return name();
    }
}
