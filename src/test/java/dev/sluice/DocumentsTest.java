package dev.sluice;

import static dev.sluice.ProjectFiles.DOCS;
import static dev.sluice.ProjectFiles.README;
import static dev.sluice.ProjectFiles.found;
import static dev.sluice.ProjectFiles.matches;
import static dev.sluice.ProjectFiles.text;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Where the documents lead, something is, and the commands that they show exist. */
class DocumentsTest {

    private static final Path GITHUB = Path.of(".github");
    private static final Path BENCH = Path.of("src/bench");
    private static final Path COMMANDS = Path.of("src/main/java/dev/sluice/cli");

    /** A link within the repository: the file, which is missing within a page, and what stands behind #. */
    private static final Pattern LINK = Pattern.compile("]\\((?!https?:)([^)#]*)(?:#([^)]+))?\\)");

    private static final Pattern HEADING = Pattern.compile("(?m)^#+ (.+)$");
    private static final Pattern COMMAND =
            Pattern.compile("(?m)(?:^(?:\\$ )?(?:target/sluice/bin/)?|`)sluice ([a-z]+)\\b" + "((?: [^`|\\n]+)?)");
    private static final Pattern COMMAND_NAME = Pattern.compile("(?m)^ +name = \"([a-z]+)\"");
    private static final Pattern OPTION = Pattern.compile("(--[a-z-]+)");

    private static List<Path> documents() {
        return Stream.of(DOCS, GITHUB, BENCH, README)
                .flatMap(
                        root -> ProjectFiles.below(root, file -> file.toString().endsWith(".md")).stream())
                .toList();
    }

    @Test
    void everyLinkLeadsToAFileAndToAHeadingOfIt() {
        int toHeadings = 0;
        for (Path document : documents()) {
            for (MatchResult link : matches(LINK, text(document)).toList()) {
                Path target = link.group(1).isEmpty()
                        ? document
                        : document.toAbsolutePath().resolveSibling(link.group(1));
                assertThat(target).as("%s links to %s", document, link.group(1)).exists();
                if (link.group(2) != null) {
                    toHeadings++;
                    assertThat(anchors(target))
                            .as("%s links to %s", document, target)
                            .contains(link.group(2));
                }
            }
        }
        assertThat(toHeadings).as("links to headings").isPositive();
    }

    /** GitHub makes them of the headings: small letters, hyphens for blanks, and no other signs. */
    private static Set<String> anchors(Path document) {
        return matches(HEADING, text(document))
                .map(heading -> heading.group(1)
                        .toLowerCase(Locale.ROOT)
                        .replaceAll("[^\\p{L}\\p{N} _-]", "")
                        .replace(' ', '-'))
                .collect(Collectors.toSet());
    }

    @Test
    void theReadmeLeadsToEveryDocument() {
        Set<String> pages =
                ProjectFiles.below(
                                DOCS,
                                file -> Objects.equals(file.getParent(), DOCS)
                                        && file.toString().endsWith(".md"))
                        .stream()
                        .map(Path::toString)
                        .collect(Collectors.toCollection(TreeSet::new));

        assertThat(pages).isNotEmpty();
        assertThat(found(LINK, text(README))).containsAll(pages);
    }

    /** A test on the control plane compares the scenarios with what kubectl prints. */
    @Test
    void theReadmeShowsAnAnswerThatTheScenariosHave() {
        String shown = text(README).split("```\\n", 3)[1];

        assertThat(shown).startsWith("$ kubectl apply -f conf/demo/").contains("\nWarning: ");
        assertThat(text(DOCS.resolve("scenarios.md"))).contains(shown);
    }

    @Test
    void theDocumentsShowCommandsAndOptionsThatExist() {
        String sources =
                ProjectFiles.sources(COMMANDS).stream().map(ProjectFiles::text).collect(Collectors.joining());
        Set<String> commands = found(COMMAND_NAME, sources);
        Set<String> options = found(OPTION, sources);
        options.add("--help"); // picocli's own

        int withOptions = 0;
        for (Path document : documents()) {
            for (MatchResult command : matches(COMMAND, text(document)).toList()) {
                withOptions += OPTION.matcher(command.group(2)).find() ? 1 : 0;
                assertThat(commands).as("%s: %s", document, command.group()).contains(command.group(1));
                assertThat(options)
                        .as("%s: %s", document, command.group())
                        .containsAll(found(OPTION, command.group(2)));
            }
        }
        assertThat(withOptions).as("commands with options").isPositive();
    }
}
