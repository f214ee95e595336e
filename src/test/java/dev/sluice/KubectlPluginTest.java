package dev.sluice;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The scripts that kubectl finds by their names, beside a launcher that prints what it was given. */
class KubectlPluginTest {

    private static final String PRINTS =
            "#!/bin/sh\necho \"$SLUICE_JAVA_OPTS\"\nfor a in \"$@\"; do echo \"[$a]\"; done\n";

    @TempDir
    private Path directory;

    private Path bin;

    @BeforeEach
    void layOut() throws Exception {
        bin = Files.createDirectories(directory.resolve("a home/bin"));
        for (String script : List.of("kubectl-gpu", "kubectl_complete-gpu")) {
            Path source = Path.of("src/main/launcher", script);
            assertThat(source).isExecutable();
            Files.copy(source, bin.resolve(script), StandardCopyOption.COPY_ATTRIBUTES);
        }
        Path launcher = Files.writeString(bin.resolve("sluice"), PRINTS);
        Files.setPosixFilePermissions(launcher, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    private static List<String> run(Path script, String... arguments) throws Exception {
        ProcessBuilder builder = new ProcessBuilder(script.toString()).redirectErrorStream(true);
        builder.command().addAll(List.of(arguments));
        builder.environment().put("SLUICE_JAVA_OPTS", "-Xmx1g");
        Process process = builder.start();
        return new String(process.getInputStream().readAllBytes(), UTF_8)
                .lines()
                .toList();
    }

    @Test
    void startsTheLauncherBesideTheFileThatALinkLeadsTo() throws Exception {
        Path link = Files.createSymbolicLink(directory.resolve("kubectl-gpu"), Path.of("a home/bin/kubectl-gpu"));

        assertThat(run(link, "explain", "-f", "a pod.yaml"))
                .containsExactly("-Dsluice.plugin=true -Xmx1g", "[explain]", "[-f]", "[a pod.yaml]");
    }

    @Test
    void handsTheWordsThatWereTypedToTheCompletion() throws Exception {
        assertThat(run(bin.resolve("kubectl_complete-gpu"), "doctor", "--co", ""))
                .containsExactly("-Xmx1g", "[__complete]", "[--]", "[doctor]", "[--co]", "[]");
    }
}
