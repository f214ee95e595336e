package dev.sluice.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The schema of the chart's values refuses what {@code sluice check} refuses, and accepts what it accepts. */
class ChartSchemaIT {

    private static final Path RESOURCES = Path.of("src/test/resources");
    private static final Path MISTAKES = RESOURCES.resolve("dev/sluice/config/gateway-mistakes.txt");
    private static final String REFUSED = "values don't meet the specifications of the schema";

    /**
     * Mistakes that a schema cannot express, because they compare two values. The templates refuse them; the text is
     * theirs.
     */
    private static final Set<String> REFUSED_BY_TEMPLATES = Set.of(
            "{tls: {mode: self-managed}, policy: {mode: availability}, peers: {port: 8443}}",
            "{tls: {mode: self-managed}, policy: {mode: availability}, management: {port: 8444}}",
            "management: {port: 8443}",
            "webhook: {port: 9090}");

    /**
     * These values are legal for Helm: it resolves merge keys, aliases and tags, and takes the last of two equal keys,
     * before the schema sees the values. The gateway reads what Helm writes, in which nothing of this is left.
     */
    private static final Set<String> RESOLVED_BY_HELM = Set.of(
            "webhook: {<<: {port: 1}}",
            "policy: {namespaces: {a: {}, a: {}}}",
            "{webhook: &w {}, management: *w}",
            "webhook: {port: !!int \"7\"}");

    @TempDir
    private Path directory;

    @Test
    void refusesEveryMistakeOfTheConfiguration() throws IOException {
        List<String> mistakes = Files.readAllLines(MISTAKES).stream()
                .filter(line -> !line.isEmpty() && !line.startsWith("#") && !line.startsWith(" "))
                .toList();
        assertThat(mistakes)
                .hasSizeGreaterThan(55)
                .containsAll(REFUSED_BY_TEMPLATES)
                .containsAll(RESOLVED_BY_HELM);
        for (String mistake : mistakes) {
            Command.Ended ended = rendered(mistake);
            if (RESOLVED_BY_HELM.contains(mistake)) {
                assertThat(ended.code()).as(mistake).isZero();
            } else {
                assertThat(ended.code()).as(mistake).isNotZero();
                assertThat(ended.complaint())
                        .as(mistake)
                        .contains(REFUSED_BY_TEMPLATES.contains(mistake) ? "of the " : REFUSED);
            }
        }
    }

    /** The rules of injection are not in the schema: a chart takes them as a text of their own. */
    @Test
    void acceptsEveryConfigurationOfTheGoldenCases() throws IOException {
        Set<String> configurations = new TreeSet<>();
        for (Path file : configurations()) {
            configurations.add(Files.readString(file));
        }
        assertThat(configurations).hasSizeGreaterThan(50);
        for (String configuration : configurations) {
            Command.Ended ended = rendered(configuration);
            if (ended.code() != 0) {
                assertThat(ended.complaint()).as(configuration).contains("config.injection.file: put the text");
            }
        }
    }

    private static List<Path> configurations() throws IOException {
        List<Path> files = new ArrayList<>();
        try (Stream<Path> all = Files.walk(RESOURCES)) {
            all.filter(file -> file.endsWith("gateway.yaml")).forEach(files::add);
        }
        return files;
    }

    private Command.Ended rendered(String configuration) throws IOException {
        Path values = directory.resolve("values.yaml");
        Files.writeString(values, "config:\n" + configuration.indent(2));
        return ChartIT.command("template", "gpu-webhook", "k8s/chart", "-f", values.toString())
                .run();
    }
}
