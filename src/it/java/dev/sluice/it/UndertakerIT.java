package dev.sluice.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class UndertakerIT {

    /** A JVM that starts something, tells its process id, and waits to be killed. */
    static final class Starter {
        private Starter() {}

        public static void main(String[] arguments) throws IOException {
            Daemon daemon = new Daemon(
                    new Undertaker(), Path.of(arguments[0]).resolve("log"), List.of("/bin/sleep", "600"), Map.of());
            daemon.start();
            System.out.println(daemon.pid());
            int waiting = System.in.read();
            System.exit(waiting);
        }
    }

    @Test
    void whatAKilledJvmHadStartedEndsToo(@TempDir Path directory) throws Exception {
        Process jvm = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-classpath",
                        System.getProperty("java.class.path"),
                        Starter.class.getName(),
                        directory.toString())
                .redirectError(Files.createFile(directory.resolve("errors")).toFile())
                .start();
        try (BufferedReader output = jvm.inputReader()) {
            long pid = Long.parseLong(Objects.requireNonNull(output.readLine()));
            assertThat(runs(pid)).isTrue();
            var _ = jvm.destroyForcibly();
            Eventually.holds("the orphan has ended", () -> !runs(pid));
        } finally {
            var _ = jvm.destroyForcibly();
        }
    }

    /** An orphan that has ended may wait for a parent that never asks for it; it runs no more. */
    private static boolean runs(long pid) throws IOException {
        Path stat = Path.of("/proc", Long.toString(pid), "stat");
        if (Files.notExists(stat)) {
            return false;
        }
        String text = Files.readString(stat);
        return text.charAt(text.lastIndexOf(')') + 2) != 'Z';
    }
}
