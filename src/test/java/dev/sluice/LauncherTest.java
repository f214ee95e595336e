package dev.sluice;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import java.io.BufferedReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The launcher as it is packaged, with JDKs that are shell scripts. */
class LauncherTest {

    private static final Path SOURCE = Path.of("src/main/launcher/sluice");
    private static final String PRINT_ARGUMENTS = "#!/bin/sh\nfor a in \"$@\"; do echo \"[$a]\"; done\nexit 7\n";

    @TempDir
    private Path directory;

    private Path home;
    private Path launcher;

    /** What one run gave; the error stream is part of the output. */
    private record Outcome(int code, List<String> lines) {}

    @BeforeEach
    void layOut() throws Exception {
        home = Files.createDirectories(directory.toRealPath().resolve("a home"));
        Files.createDirectories(home.resolve("lib"));
        launcher = executable(home.resolve("bin/sluice"), Files.readString(SOURCE));
    }

    @Test
    void isPlainShell() throws Exception {
        assertThat(run(new ProcessBuilder("sh", "-n", SOURCE.toString()))).isEqualTo(new Outcome(0, List.of()));
        assertThat(SOURCE).isExecutable();
    }

    @Test
    void passesFlagsClassPathAndArguments() throws Exception {
        Path jdk = jdk("jdk-25", "25.0.3", PRINT_ARGUMENTS);

        Outcome outcome = run(with(Map.of("SLUICE_JAVA_HOME", jdk.toString()), "explain", "-f", "a pod.yaml"));

        assertThat(outcome.code()).isEqualTo(7);
        assertThat(outcome.lines())
                .contains("[--enable-native-access=ALL-UNNAMED]")
                .doesNotContain("[-XX:+ExitOnOutOfMemoryError]")
                .contains("[-Dsluice.home=" + home + "]", "[-Dvertx.disableFileCPResolving=true]")
                .endsWith(
                        "[-classpath]",
                        "[" + home + "/lib/*]",
                        "[dev.sluice.Main]",
                        "[explain]",
                        "[-f]",
                        "[a pod.yaml]");
    }

    @Test
    void optionsOfTheUserComeAfterItsOwnAndSoWin() throws Exception {
        Path jdk = jdk("jdk-25", "25.0.3", PRINT_ARGUMENTS);

        Outcome outcome =
                run(with(Map.of("SLUICE_JAVA_HOME", jdk.toString(), "SLUICE_JAVA_OPTS", "-Xmx1g -Dfiles=/usr/*")));

        assertThat(outcome.lines()).containsSubsequence("[-Xmx192m]", "[-Xmx1g]", "[-Dfiles=/usr/*]", "[-classpath]");
    }

    /** The options of the JVM in the image are written down from a run of the launcher; its environment is not. */
    @Test
    void theImageHasTheSameEnvironment() throws Exception {
        Path jdk = jdk("jdk-25", "25.0.3", "#!/bin/sh\necho \"$MALLOC_ARENA_MAX\"\n");

        Outcome outcome = run(with(Map.of("SLUICE_JAVA_HOME", jdk.toString()), "serve"));

        assertThat(Files.readString(Path.of("src/build/image/pom.xml")))
                .contains("<MALLOC_ARENA_MAX>" + outcome.lines().getFirst() + "</MALLOC_ARENA_MAX>");
    }

    @Test
    void leavesTheSecondCompilerOutAndCollectsOnAllProcessorsUnlessItServes() throws Exception {
        Path jdk = jdk("jdk-25", "25.0.3", PRINT_ARGUMENTS);
        Map<String, String> environment = Map.of("SLUICE_JAVA_HOME", jdk.toString());

        for (String shown : List.of("doctor", "capacity", "--help")) {
            assertThat(run(with(environment, shown)).lines())
                    .as(shown)
                    .contains("[-XX:TieredStopAtLevel=1]", "[-XX:+UseParallelGC]", "[-Xms64m]", "[-Xmn32m]")
                    .doesNotContain("[-XX:+UseSerialGC]");
        }
        for (String served : List.of("serve", "demo")) {
            assertThat(run(with(environment, served)).lines())
                    .as(served)
                    .contains("[-XX:Tier2InvokeNotifyFreqLog=15]", "[-XX:Tier4BackEdgeThreshold=1000000]")
                    .contains("[-XX:+UseSerialGC]", "[-Xms24m]", "[-Xmn12m]", "[-XX:+ExitOnOutOfMemoryError]")
                    .doesNotContain("[-XX:+UseParallelGC]")
                    .noneMatch(line -> line.contains("TieredStop"));
        }
    }

    @Test
    void saysNothingOfATerminalWhereStandardErrorIsNone() throws Exception {
        Path jdk = jdk("jdk-25", "25.0.3", PRINT_ARGUMENTS);

        assertThat(run(with(Map.of("SLUICE_JAVA_HOME", jdk.toString(), "TERM", "xterm"), "doctor"))
                        .lines())
                .noneMatch(line -> line.contains("sluice.stderr.terminal"));
    }

    @Test
    void ordersTheClassPathByNameAsTheAotCacheWantsIt() throws Exception {
        Path jdk = jdk("jdk-25", "25.0.3", PRINT_ARGUMENTS);
        for (String name : List.of("b.jar", "a-2.jar", "a-10.jar", "B.jar")) {
            Files.createFile(home.resolve("lib").resolve(name));
        }

        Outcome outcome = run(with(Map.of("SLUICE_JAVA_HOME", jdk.toString(), "LC_ALL", "C.UTF-8"), "serve"));

        assertThat(outcome.lines())
                .contains("["
                        + Stream.of("B.jar", "a-10.jar", "a-2.jar", "b.jar")
                                .map(name -> home + "/lib/" + name)
                                .collect(Collectors.joining(":"))
                        + "]");
    }

    @ParameterizedTest
    @CsvSource({
        "serve, sluice.aot",
        "demo, sluice.aot",
        "capacity, commands.aot",
        "--version, commands.aot",
        "'', commands.aot"
    })
    void passesTheAotCacheOfTheCommandWhereThereIsOne(String command, String name) throws Exception {
        Path jdk = jdk("jdk-25", "25.0.3", PRINT_ARGUMENTS);
        ProcessBuilder sluice = with(Map.of("SLUICE_JAVA_HOME", jdk.toString()), command);
        var _ = Files.createFile(home.resolve("another.aot"));

        assertThat(run(sluice).lines()).noneMatch(line -> line.contains("AOT") || line.contains(".aot"));

        Path cache = Files.createFile(home.resolve(name));
        assertThat(run(sluice).lines())
                .containsSubsequence(
                        "[-XX:AOTCache=" + cache + "]",
                        "[-Dsluice.aot=" + cache + "]",
                        "[-Xlog:aot*=off:stderr]",
                        "[-Xlog:cds*=off:stderr]");
    }

    @Test
    void becomesTheJvmSoThatSignalsReachIt() throws Exception {
        Path jdk = jdk("jdk-25", "25.0.3", """
                #!/bin/sh
                trap 'echo stopping; exit 3' TERM
                echo $$
                read -r line
                """);
        Process process =
                with(Map.of("SLUICE_JAVA_HOME", jdk.toString()), "serve").start();

        try (BufferedReader out = process.inputReader()) {
            assertThat(out.readLine()).isEqualTo(Long.toString(process.pid()));
            // Process.destroy would close our end of the pipe as well.
            assertThat(process.toHandle().destroy()).isTrue();
            assertThat(out.readLine()).isEqualTo("stopping");
            assertThat(process.waitFor(10, TimeUnit.SECONDS)).isTrue();
            assertThat(process.exitValue()).isEqualTo(3);
        }
    }

    @Test
    void findsItsHomeThroughLinks() throws Exception {
        Path jdk = jdk("jdk-25", "25.0.3", PRINT_ARGUMENTS);
        Path relative = Files.createSymbolicLink(home.resolve("bin/other"), Path.of("sluice"));
        Path elsewhere = Files.createSymbolicLink(directory.resolve("linked"), relative);

        ProcessBuilder linked = with(Map.of("SLUICE_JAVA_HOME", jdk.toString()));
        linked.command(elsewhere.toString());

        assertThat(run(linked).lines()).contains("[-Dsluice.home=" + home + "]");
    }

    @ParameterizedTest
    @ValueSource(strings = {"25", "25.0.3", "26-ea", "125.0.1"})
    void takesJava25AndLater(String version) throws Exception {
        Path jdk = jdk("jdk", version, PRINT_ARGUMENTS);

        assertThat(run(with(Map.of("SLUICE_JAVA_HOME", jdk.toString()))).code()).isEqualTo(7);
    }

    @ParameterizedTest
    @ValueSource(strings = {"1.8.0_402", "17.0.15", "24.0.2", "unknown"})
    void refusesTheJdkItWasToldToUseWhereThatIsTooOld(String version) throws Exception {
        Path jdk = jdk("jdk", version, PRINT_ARGUMENTS);

        Outcome outcome = run(with(Map.of("SLUICE_JAVA_HOME", jdk.toString())));

        assertThat(outcome.code()).isEqualTo(2);
        assertThat(outcome.lines())
                .startsWith("sluice needs a JDK of version 25 or later and found none. It looked at:")
                .anyMatch(line -> line.startsWith("  SLUICE_JAVA_HOME: " + jdk + " is Java "))
                .endsWith("Install one, or set SLUICE_JAVA_HOME to the directory that holds its bin/java.");
    }

    @Test
    void takesTheJavaOfThePathWhereJavaHomeIsTooOld() throws Exception {
        Path old = jdk("jdk-17", "17.0.15", "#!/bin/sh\necho old\n");
        Path fitting = jdk("jdk-25", "25.0.3", PRINT_ARGUMENTS);
        Path path = Files.createDirectories(directory.resolve("path"));
        Files.createSymbolicLink(path.resolve("java"), fitting.resolve("bin/java"));

        Outcome outcome = run(with(Map.of("JAVA_HOME", old.toString(), "PATH", path + ":" + System.getenv("PATH"))));

        assertThat(outcome.code()).isEqualTo(7);
    }

    /** An archive of a release for one processor. */
    @Test
    void takesTheRuntimeThatLiesBesideIt() throws Exception {
        Path other = jdk("jdk-25", "25.0.3", "#!/bin/sh\necho other\n");
        Path own = executable(home.resolve("java/bin/java"), PRINT_ARGUMENTS);

        assertThat(run(with(Map.of("JAVA_HOME", other.toString()), "explain")).code())
                .isEqualTo(7);
        assertThat(run(with(Map.of("SLUICE_JAVA_HOME", other.toString()))).lines())
                .containsExactly("other");
        Files.delete(own);
        assertThat(run(with(Map.of("JAVA_HOME", other.toString()))).lines()).containsExactly("other");
    }

    @Test
    void asksAJdkWithoutAReleaseFileForItsVersion() throws Exception {
        Path jdk = jdk("jdk", "25", """
                #!/bin/sh
                if [ "$1" = -version ]; then echo 'openjdk version "25.0.1" 2026-01-20' >&2; exit 0; fi
                echo started
                """);
        Files.delete(jdk.resolve("release"));

        assertThat(run(with(Map.of("SLUICE_JAVA_HOME", jdk.toString()))).lines())
                .containsExactly("started");
    }

    @Test
    void saysWhereItLooked() throws Exception {
        Outcome outcome =
                run(with(Map.of("SLUICE_JAVA_HOME", directory.resolve("absent").toString())));

        assertThat(outcome.lines()).contains("  SLUICE_JAVA_HOME: no bin/java in " + directory.resolve("absent"));
    }

    @Test
    void saysWhatToRunWhereNothingIsLaidOut() throws Exception {
        Files.delete(home.resolve("lib"));
        Path jdk = jdk("jdk-25", "25.0.3", PRINT_ARGUMENTS);

        assertThat(run(with(Map.of("SLUICE_JAVA_HOME", jdk.toString()))))
                .isEqualTo(new Outcome(
                        2,
                        List.of("sluice: " + home + "/lib does not exist; run bin/sluice of target/sluice, which"
                                + " 'mvn package' lays out")));
    }

    private ProcessBuilder with(Map<String, String> environment, String... arguments) {
        ProcessBuilder builder = new ProcessBuilder(launcher.toString());
        builder.command().addAll(List.of(arguments));
        builder.environment()
                .keySet()
                .removeAll(List.of("JAVA_HOME", "SLUICE_JAVA_HOME", "SLUICE_JAVA_OPTS", "MALLOC_ARENA_MAX"));
        builder.environment().putAll(environment);
        return builder;
    }

    private static Outcome run(ProcessBuilder builder) throws Exception {
        Process process = builder.redirectErrorStream(true).start();
        try (BufferedReader out = process.inputReader()) {
            List<String> lines = out.lines().toList();
            return new Outcome(process.waitFor(), lines);
        }
    }

    private Path jdk(String name, String version, String java) throws Exception {
        Path jdk = directory.toRealPath().resolve(name);
        executable(jdk.resolve("bin/java"), java);
        Files.writeString(jdk.resolve("release"), "IMPLEMENTOR=\"x\"\nJAVA_VERSION=\"" + version + "\"\n");
        return jdk;
    }

    @CanIgnoreReturnValue
    private static Path executable(Path file, String text) throws Exception {
        Files.createDirectories(file.getParent());
        Files.writeString(file, text);
        return Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
    }
}
