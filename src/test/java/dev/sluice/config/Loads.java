package dev.sluice.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.type;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** Loads texts as a file named gateway.yaml, so that messages are the same on every machine. */
final class Loads {

    private Loads() {}

    static ConfigLoader.Loading text(String yaml) {
        return text(yaml, Map.of());
    }

    static ConfigLoader.Loading text(String yaml, Map<String, String> environment) {
        try {
            Path file = Files.createTempFile("gateway", ".yaml");
            try {
                return ConfigLoader.load(Files.writeString(file, yaml), environment);
            } finally {
                Files.delete(file);
            }
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    static GatewayConfig config(String yaml) {
        return loaded(text(yaml)).config();
    }

    static ConfigLoader.Loading.Loaded loaded(ConfigLoader.Loading loading) {
        return assertThat(loading)
                .asInstanceOf(type(ConfigLoader.Loading.Loaded.class))
                .actual();
    }

    static List<String> problems(ConfigLoader.Loading loading) {
        return lines(assertThat(loading)
                .asInstanceOf(type(ConfigLoader.Loading.NotLoaded.class))
                .actual()
                .problems());
    }

    static List<String> lines(List<ConfigProblem> problems) {
        return problems.stream()
                .map(problem -> problem.toString().replaceFirst("^[^:]*gateway[^:]*\\.yaml", "gateway.yaml"))
                .toList();
    }
}
