package dev.sluice;

import static dev.sluice.ProjectFiles.DOCS;
import static dev.sluice.ProjectFiles.matches;
import static dev.sluice.ProjectFiles.text;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.golden.GoldenCase;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What cases and comments cite is written in the documents, and the tests that these name exist. */
class CitationsTest {

    /**
     * A citation names the document and the number of one rule: kubernetes-rules.md and a number such as 4.2, or
     * availability-mode.md and the number of a fault.
     */
    private static final Pattern CITATION =
            Pattern.compile("\\b(contracts|kubernetes-rules|availability-mode)\\.md\\s+(F?\\d+(?:\\.\\d+)?)");

    private static final Pattern RULE = Pattern.compile("(?m)^(?:(?:## |- \\*\\*)(\\d+(?:\\.\\d+)?)|\\| (F\\d+) \\|)");
    /** A test method with its comment. */
    private static final Pattern METHOD_WITH_COMMENT =
            Pattern.compile("/\\*\\*([^*]*+(?:\\*(?!/)[^*]*+)*+)\\*/\\s+(?:@[^\n]+\\s+)+void (\\w+)\\(");

    private static final Pattern TEST_METHOD = Pattern.compile("`(\\w+(?:Test|IT))(?:\\.(\\w+))?`");

    @ParameterizedTest
    @ValueSource(strings = {"contracts.md", "kubernetes-rules.md", "availability-mode.md"})
    void everyRuleHasANumberOfItsOwn(String document) {
        assertThat(numbers(document)).isNotEmpty().doesNotHaveDuplicates();
    }

    @Test
    void whateverIsCitedIsWritten() {
        Map<String, Set<String>> rules = Stream.of("contracts", "kubernetes-rules", "availability-mode")
                .collect(Collectors.toMap(Function.identity(), name -> Set.copyOf(numbers(name + ".md"))));

        Set<String> cited = new HashSet<>();
        for (String root : List.of("src", "conf", "k8s", "tls")) {
            for (Path file : ProjectFiles.below(Path.of(root), CitationsTest::mayCite)) {
                matches(CITATION, text(file)).forEach(citation -> {
                    var _ = cited.add(citation.group(1));
                    assertThat(rules.get(citation.group(1)))
                            .as("%s cites %s", file, citation.group())
                            .contains(citation.group(2));
                });
            }
        }
        assertThat(cited).isEqualTo(rules.keySet());
    }

    private static List<String> numbers(String document) {
        return matches(RULE, text(DOCS.resolve(document)))
                .map(rule -> rule.group(1) == null ? rule.group(2) : rule.group(1))
                .toList();
    }

    private static boolean mayCite(Path file) {
        return Stream.of(".java", ".txt", ".md", ".yaml", ".sh", ".go").anyMatch(file.toString()::endsWith);
    }

    static List<GoldenCase> cases() throws IOException {
        return GoldenCase.all();
    }

    @ParameterizedTest
    @MethodSource("cases")
    void everyGoldenCaseCitesARule(GoldenCase golden) throws IOException {
        assertThat(golden.why()).containsPattern(CITATION);
    }

    /** A row of the table of faults: its number, and the names of the tests that show it. */
    private static final Pattern FAULT = Pattern.compile("(?m)^\\| (F\\d+) \\|.*\\| (.+) \\|$");

    /** Each test that the table of faults names cites the fault in its comment, and no other test method does. */
    @Test
    void everyFaultIsCitedByTheTestsThatItsRowNames() {
        Map<String, Set<String>> named = new TreeMap<>();
        Map<String, Set<String>> citing = new TreeMap<>();
        matches(FAULT, text(DOCS.resolve("availability-mode.md")))
                .forEach(row -> named.put(
                        row.group(1),
                        matches(TEST_METHOD, row.group(2))
                                .map(test -> test.group(1) + "." + test.group(2))
                                .collect(Collectors.toCollection(TreeSet::new))));
        for (Path source : ProjectFiles.sources(Path.of("src/test/java"))) {
            matches(METHOD_WITH_COMMENT, text(source))
                    .forEach(method -> matches(CITATION, method.group(1))
                            .filter(citation -> citation.group(2).startsWith("F"))
                            .forEach(citation -> citing.computeIfAbsent(citation.group(2), _ -> new TreeSet<>())
                                    .add(ProjectFiles.typeOf(source) + "." + method.group(2))));
        }

        assertThat(citing).isEqualTo(named).hasSizeGreaterThan(15);
    }

    @ParameterizedTest
    @ValueSource(strings = {"contracts.md", "kubernetes-rules.md", "availability-mode.md"})
    void theTestsThatProveARuleExist(String document) {
        Map<String, Path> sources = ProjectFiles.sources(Path.of("src")).stream()
                .collect(Collectors.toMap(ProjectFiles::typeOf, Function.identity(), (first, _) -> first));

        assertThat(matches(TEST_METHOD, text(DOCS.resolve(document))))
                .isNotEmpty()
                .allSatisfy(test -> assertThat(sources).hasEntrySatisfying(test.group(1), source -> {
                    if (test.group(2) != null) {
                        assertThat(text(source)).contains("void " + test.group(2) + "(");
                    }
                }));
    }
}
