package dev.sluice;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The tables of threats name all of them, and tests that are there. */
class SecurityPageTest {

    /** In the threat model of the Kubernetes SIG Security. */
    private static final int THREATS = 18;

    /** Of the diagnosis. */
    private static final int DIAGNOSIS_THREATS = 6;

    private static final Pattern ROW = Pattern.compile("\\| (D?\\d+) \\| ([^|]+) \\| ([^|]+) \\| ([^|]+) \\|");
    private static final Pattern NAMED = Pattern.compile("`(\\w+)`");

    private static List<Matcher> rows() throws IOException {
        return Files.readAllLines(Path.of("src", "docs", "security.md")).stream()
                .map(ROW::matcher)
                .filter(Matcher::matches)
                .toList();
    }

    @Test
    void everyThreatHasALine() throws IOException {
        assertThat(rows())
                .extracting(row -> row.group(1))
                .containsExactlyElementsOf(Stream.concat(
                                IntStream.rangeClosed(1, THREATS).mapToObj(Integer::toString),
                                IntStream.rangeClosed(1, DIAGNOSIS_THREATS).mapToObj(id -> "D" + id))
                        .toList());
    }

    @Test
    void everyLineNamesTestsThatAreThere() throws IOException {
        Set<String> tests = tests();
        assertThat(rows()).isNotEmpty();
        for (Matcher row : rows()) {
            List<String> named = NAMED.matcher(row.group(4))
                    .results()
                    .map(found -> found.group(1))
                    .toList();
            assertThat(named).as("threat %s", row.group(1)).isNotEmpty().isSubsetOf(tests);
        }
    }

    private static Set<String> tests() throws IOException {
        Set<String> tests = new HashSet<>();
        for (String tree : List.of("test", "it", "fuzz")) {
            try (Stream<Path> sources = Files.walk(Path.of("src", tree, "java"))) {
                sources.map(file -> String.valueOf(file.getFileName()))
                        .filter(name -> name.matches("\\w+(Test|IT|Fuzz)\\.java"))
                        .forEach(name -> tests.add(name.replace(".java", "")));
            }
        }
        return tests;
    }
}
