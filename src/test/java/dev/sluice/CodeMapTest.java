package dev.sluice;

import static dev.sluice.ProjectFiles.found;
import static dev.sluice.ProjectFiles.matches;
import static dev.sluice.ProjectFiles.text;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The architecture page lists the packages, types and topics that the code has. */
class CodeMapTest {

    private static final Path CODE = Path.of("src/main/java");
    private static final Path ROOT = CODE.resolve("dev/sluice");
    private static final Path ARCHITECTURE = ProjectFiles.DOCS.resolve("ARCHITECTURE.md");

    private static final Pattern PACKAGE = Pattern.compile("`(dev\\.sluice[.a-z]*)`");
    private static final Pattern ADDRESS =
            Pattern.compile("(?:Topic|Service)<.+?> ([A-Z_]+) = new (?:Topic|Service)<>\\(\"([a-z.]+)\"\\)");
    private static final Pattern USE = Pattern.compile(
            "\\b(?:Topic|Service)\\.([A-Z_]+)(?:\\s*\\.of\\([^;]{1,20}?\\))?\\s*\\.(publish|subscribe|ask|serve)(?:Later)?\\(");
    private static final Pattern ROW = Pattern.compile("(?m)^\\| `([a-z.]+)` \\| (.+) \\| (.+) \\|$");
    private static final Pattern TYPE = Pattern.compile("\\b(?:class|record|interface|enum) ([A-Z]\\w+)");
    private static final Pattern CODE_WORD = Pattern.compile("`([^`\n]+)`");
    private static final Pattern TYPE_NAME =
            Pattern.compile("(?:(?:[a-z]+\\.)*([a-z]+)\\.)?([A-Z][a-z]\\w+)(?:\\.[a-z]\\w+)?");
    private static final Pattern ROOM = Pattern.compile("`([a-z]+(?:\\.[a-z]+)*)(?:`|\\.[A-Z])");

    @Test
    void theCodeMapHasEveryPackageAndNoOther() {
        assertThat(found(PACKAGE, section(ARCHITECTURE, "Code map"))).isEqualTo(packages());
    }

    /** The sender of a message publishes or asks, and its receiver subscribes or serves. */
    private record Users(Set<String> senders, Set<String> receivers) {
        Users() {
            this(new TreeSet<>(), new TreeSet<>());
        }

        void add(String verb, String type) {
            var _ = (verb.equals("publish") || verb.equals("ask") ? senders : receivers).add(type);
        }
    }

    @Test
    void architectureNamesEveryAddressOfTheBusAndWhoUsesIt() {
        Map<String, String> addresses = new TreeMap<>();
        for (String type : List.of("Topic.java", "Service.java")) {
            matches(ADDRESS, text(ROOT.resolve("bus").resolve(type)))
                    .forEach(constant -> addresses.put(constant.group(1), constant.group(2)));
        }
        assertThat(addresses).isNotEmpty();
        Map<String, Users> used = new TreeMap<>();
        addresses.values().forEach(address -> used.put(address, new Users()));
        for (Path source : ProjectFiles.sources(ROOT)) {
            matches(USE, text(source))
                    .forEach(use -> used.computeIfAbsent(
                                    addresses.getOrDefault(use.group(1), use.group(1)), _ -> new Users())
                            .add(use.group(2), ProjectFiles.typeOf(source)));
        }

        Map<String, Users> written = new TreeMap<>();
        matches(ROW, section(ARCHITECTURE, "The event bus"))
                .forEach(row -> written.put(
                        row.group(1), new Users(found(CODE_WORD, row.group(2)), found(CODE_WORD, row.group(3)))));

        assertThat(written).isEqualTo(used);
    }

    /** A name may stand behind its package and before one of its methods. */
    @Test
    void architectureNamesTypesThatExist() {
        Map<String, Set<String>> roomsOfTypes = new TreeMap<>();
        for (Path source : ProjectFiles.sources(Path.of("src"))) {
            String room = source.getName(source.getNameCount() - 2).toString();
            matches(TYPE, text(source))
                    .forEach(type -> roomsOfTypes
                            .computeIfAbsent(type.group(1), _ -> new TreeSet<>())
                            .add(room));
        }

        boolean namesRooms = false;
        for (String word : found(CODE_WORD, text(ARCHITECTURE))) {
            Matcher name = TYPE_NAME.matcher(word);
            if (name.matches()) {
                namesRooms |= name.group(1) != null;
                assertThat(roomsOfTypes).containsKey(name.group(2));
                if (name.group(1) != null) {
                    assertThat(roomsOfTypes.get(name.group(2))).as(word).contains(name.group(1));
                }
            }
        }
        assertThat(namesRooms).as("a type is named with its package").isTrue();
    }

    @Test
    void aChangeGoesToAPackageThatExists() {
        assertThat(found(ROOM, section(ARCHITECTURE, "Where a change goes")))
                .isNotEmpty()
                .allSatisfy(room -> assertThat(packages()).contains("dev.sluice." + room));
    }

    private static Set<String> packages() {
        return ProjectFiles.below(ROOT, file -> file.endsWith("package-info.java")).stream()
                .map(file -> CODE.relativize(file.getParent()).toString().replace('/', '.'))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static String section(Path document, String title) {
        return text(document)
                .split("(?m)^## " + Pattern.quote(title) + "$", 2)[1]
                .split("(?m)^## ", 2)[0];
    }
}
