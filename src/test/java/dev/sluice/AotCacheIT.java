package dev.sluice;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The caches that {@code mvn package} made: they are used, also where the layout was copied to, and never in the way.
 */
class AotCacheIT {

    private static final Path LAYOUT = Path.of("target", "sluice");
    private static final String SLOWER = "The start and the first reviews are slower";

    @TempDir
    private Path directory;

    private Path copy;

    @BeforeEach
    void copyTheLayout() throws IOException {
        Assumptions.assumeTrue(Files.exists(LAYOUT.resolve("sluice.aot")), "built with -Daot.skip");
        copy = directory.resolve("elsewhere");
        try (Stream<Path> files = Files.walk(LAYOUT)) {
            for (Path file : files.toList()) {
                Files.copy(file, copy.resolve(LAYOUT.relativize(file)), StandardCopyOption.COPY_ATTRIBUTES);
            }
        }
    }

    /** It ends at once, because there is no certificate. */
    private List<String> serve() throws Exception {
        ProcessBuilder serve = new ProcessBuilder(copy.resolve("bin/sluice").toString(), "serve");
        serve.environment().put("SLUICE_JAVA_HOME", System.getProperty("java.home"));
        serve.environment().remove("SLUICE_JAVA_OPTS");
        Process process = serve.redirectErrorStream(true).start();
        try (BufferedReader out = process.inputReader()) {
            List<String> lines = out.lines().toList();
            assertThat(process.waitFor()).isEqualTo(2);
            return lines;
        }
    }

    @Test
    void isUsedWhereTheLayoutWasCopiedTo() throws Exception {
        assertThat(serve()).noneMatch(line -> line.contains(SLOWER)).anyMatch(line -> line.contains("tls.certificate"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"sluice.aot", "commands.aot"})
    void mayBeWrittenByItsOwnerOnly(String name) throws IOException {
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(LAYOUT.resolve(name))))
                .isEqualTo("rw-r--r--");
    }

    /** The JVM says where each class is from. */
    @Test
    void thatOfTheCommandsHoldsWhatTheyLoad() throws Exception {
        List<String> loaded = command("version");

        assertThat(loaded).anyMatch(line -> line.contains("dev.sluice.Main source: shared objects file"));
        assertThat(loaded)
                .as("picocli is too old for a cache")
                .filteredOn(line -> line.contains(" source: file:") && !line.contains("picocli"))
                .hasSizeLessThan(10);
    }

    private List<String> command(String word) throws Exception {
        ProcessBuilder sluice = new ProcessBuilder(copy.resolve("bin/sluice").toString(), word);
        sluice.environment().put("SLUICE_JAVA_HOME", System.getProperty("java.home"));
        sluice.environment().put("SLUICE_JAVA_OPTS", "-Xlog:class+load");
        Process process = sluice.redirectErrorStream(true).start();
        try (BufferedReader out = process.inputReader()) {
            List<String> lines = out.lines().toList();
            assertThat(process.waitFor()).isZero();
            return lines;
        }
    }

    @Test
    void costsOneLineWhereAnArchiveIsAnotherOne() throws Exception {
        try (Stream<Path> jars = Files.list(copy.resolve("lib"))) {
            Path jar = jars.filter(file -> file.toString().endsWith(".jar"))
                    .findFirst()
                    .orElseThrow();
            var _ = Files.setLastModifiedTime(jar, FileTime.from(Instant.EPOCH));
        }
        assertOneLine(serve());
    }

    @Test
    void costsOneLineWhereItIsBroken() throws Exception {
        Files.writeString(copy.resolve("sluice.aot"), "broken");
        assertOneLine(serve());
    }

    private static void assertOneLine(List<String> lines) {
        assertThat(lines.stream().filter(line -> line.contains(SLOWER))).hasSize(1);
        assertThat(lines).noneMatch(line -> line.contains("[aot]") || line.contains("[cds]"));
    }

    @Test
    void isNotNeeded() throws Exception {
        Files.delete(copy.resolve("sluice.aot"));
        assertThat(serve()).noneMatch(line -> line.contains(SLOWER)).anyMatch(line -> line.contains("tls.certificate"));
    }
}
