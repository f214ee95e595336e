package dev.sluice;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What is written in the files of this project. */
final class ProjectFiles {

    static final Path DOCS = Path.of("src/docs");
    static final Path README = Path.of("README.md");

    private ProjectFiles() {}

    static List<Path> below(Path root, Predicate<Path> which) {
        try (Stream<Path> paths = Files.walk(root)) {
            return paths.filter(Files::isRegularFile).filter(which).sorted().toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static List<Path> sources(Path root) {
        return below(root, file -> file.toString().endsWith(".java"));
    }

    static String typeOf(Path source) {
        return source.getFileName().toString().replace(".java", "");
    }

    static String text(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static Stream<MatchResult> matches(Pattern pattern, String text) {
        return pattern.matcher(text).results();
    }

    /** What the pattern's first group has found. */
    static Set<String> found(Pattern pattern, String text) {
        return matches(pattern, text).map(match -> match.group(1)).collect(Collectors.toCollection(TreeSet::new));
    }
}
