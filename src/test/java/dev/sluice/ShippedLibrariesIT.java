package dev.sluice;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What the layout says of the libraries in it: their checksums, whose they are, and what they are made of. */
class ShippedLibrariesIT {

    private static final Path LAYOUT = Path.of("target", "sluice");

    /** Of several that one library names, its user may choose; one of these must be among them. */
    private static final Set<String> ALLOWED = Set.of("Apache-2.0", "EPL-2.0", "MIT", "Bouncy Castle Licence");

    /** {@code (licence) (licence) Name (group:artifact:version - address)}. */
    private static final Pattern NOTICE =
            Pattern.compile(" +((?:\\([^)]+\\) )+).*\\(([^:( ]+):([^: ]+):([^: ]+) - .+\\)");

    private static final Pattern LICENCE = Pattern.compile("\\(([^)]+)\\)");

    private static Set<String> jars() throws IOException {
        try (Stream<Path> files = Files.list(LAYOUT.resolve("lib"))) {
            return files.map(file -> String.valueOf(file.getFileName()))
                    .filter(name -> !name.startsWith("sluice-"))
                    .collect(Collectors.toCollection(TreeSet::new));
        }
    }

    @Test
    void nothingShipsThatIsNotPinned() throws IOException {
        Map<String, String> shipped = new TreeMap<>();
        for (String jar : jars()) {
            shipped.put(jar, Libraries.sha256(LAYOUT.resolve("lib").resolve(jar)));
        }
        assertThat(shipped).as(Libraries.HOW_TO_RENEW).isEqualTo(Libraries.pinned());
    }

    @Test
    void everyLibraryHasANoticeAndALicenceThatIsAllowed() throws IOException {
        Set<String> told = new TreeSet<>();
        for (String line : Files.readAllLines(LAYOUT.resolve("THIRD-PARTY.txt"))) {
            NOTICE.matcher(line).results().forEach(notice -> {
                assertThat(licences(notice)).as(line).containsAnyElementsOf(ALLOWED);
                told.add(notice.group(3) + "-" + notice.group(4));
            });
        }
        assertThat(jars().stream().filter(jar -> told.stream().noneMatch(name -> isOf(name, jar))))
                .as("without a notice")
                .isEmpty();
    }

    private static List<String> licences(MatchResult notice) {
        return LICENCE.matcher(notice.group(1))
                .results()
                .map(each -> each.group(1))
                .toList();
    }

    /** With a classifier or without. */
    private static boolean isOf(String artifact, String jar) {
        return jar.equals(artifact + ".jar") || jar.startsWith(artifact + "-linux-");
    }

    @Test
    void theBillOfMaterialsListsEveryLibraryByItsChecksum() throws IOException {
        Path bill = LAYOUT.resolve("sbom.json");
        assertThat(Files.exists(bill) || Boolean.getBoolean("build.offline"))
                .as("made, unless the build is offline")
                .isTrue();
        if (Files.exists(bill)) {
            Set<String> listed = new TreeSet<>();
            for (JsonNode component : new ObjectMapper().readTree(bill.toFile()).path("components")) {
                component
                        .path("hashes")
                        .forEach(hash -> listed.add(hash.path("content").asText()));
            }
            assertThat(listed).containsAll(Libraries.pinned().values());
        }
    }

    @Test
    void theLicenceOfSluiceItselfShips() throws IOException {
        assertThat(LAYOUT.resolve("LICENSE")).hasSameTextualContentAs(Path.of("src", "docs", "LICENSE"));
    }
}
