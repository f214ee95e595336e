package dev.sluice.config;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.params.provider.Arguments;

/**
 * The files in which each line is a configuration with one mistake, and the line below it what is said of the mistake.
 */
final class Mistakes {

    private static final Path DIRECTORY = Path.of("src/test/resources/dev/sluice/config");

    private Mistakes() {}

    static Stream<Arguments> of(String file) throws IOException {
        List<String> lines = Files.readAllLines(DIRECTORY.resolve(file)).stream()
                .filter(line -> !line.startsWith("#"))
                .toList();
        return IntStream.range(0, lines.size() / 2)
                .mapToObj(mistake -> Arguments.of(
                        lines.get(2 * mistake), lines.get(2 * mistake + 1).strip()));
    }
}
