package dev.sluice;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.cli.Cli;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A process that serves, and signals to it. */
class StopSignalsTest {

    private static final int TERMINATED = 128 + 15;

    @TempDir
    private Path directory;

    private final int management = Ports.free();

    private Process serve(int drainSeconds) throws Exception {
        Process process = start(drainSeconds);
        awaitReadiness(process, 200);
        return process;
    }

    private Process start(int drainSeconds) throws Exception {
        assertThat(Cli.run("certs", "make", "--dir", directory).code()).isZero();
        Path configuration = Files.writeString(directory.resolve("gateway.yaml"), """
                webhook: { host: localhost, port: %d, drainSeconds: %d }
                management: { host: localhost, port: %d }
                tls: { certificate: %s, key: %s }
                """.formatted(
                Ports.free(), drainSeconds, management, directory.resolve("tls.crt"), directory.resolve("tls.key")));
        Path cluster = Files.writeString(directory.resolve("cluster.yaml"), """
                apiVersion: v1
                kind: List
                items:
                - {apiVersion: v1, kind: Node, metadata: {name: a}, status: {allocatable: {nvidia.com/gpu: 4}}}
                """);
        return new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Dvertx.disableFileCPResolving=true",
                        "--enable-native-access=ALL-UNNAMED",
                        "-cp",
                        System.getProperty("java.class.path"),
                        "dev.sluice.Main",
                        "serve",
                        "--config",
                        configuration.toString(),
                        "--cluster-snapshot",
                        cluster.toString())
                .redirectErrorStream(true)
                .redirectOutput(directory.resolve("log").toFile())
                .start();
    }

    private void awaitReadiness(Process process, int status) throws Exception {
        long end = System.nanoTime() + Duration.ofSeconds(60).toNanos();
        while (readiness() != status) {
            assertThat(process.isAlive()).as("the process lives").isTrue();
            assertThat(System.nanoTime()).as("/readyz is " + status).isLessThan(end);
            Thread.sleep(50);
        }
    }

    private int readiness() throws InterruptedException {
        try (HttpClient client = HttpClient.newHttpClient()) {
            HttpRequest request = HttpRequest.newBuilder(URI.create("http://localhost:" + management + "/readyz"))
                    .build();
            return client.send(request, HttpResponse.BodyHandlers.discarding()).statusCode();
        } catch (IOException nobodyThere) {
            return 0;
        }
    }

    private static void end(Process process) {
        assertThat(process.toHandle().destroy()).isTrue();
    }

    @Test
    void oneSignalDrainsFirst() throws Exception {
        Process process = serve(2);
        try {
            long begin = System.nanoTime();
            end(process);
            awaitReadiness(process, 503);
            assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
            assertThat(Duration.ofNanos(System.nanoTime() - begin)).isGreaterThan(Duration.ofSeconds(2));
            assertThat(process.exitValue()).isEqualTo(TERMINATED);
        } finally {
            process.destroyForcibly();
        }
    }

    @Test
    void aSignalDuringTheStartDrainsToo() throws Exception {
        Process process = start(1);
        try {
            // The management port answers before the webhook is served.
            awaitReadiness(process, 503);
            long begin = System.nanoTime();
            end(process);
            assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
            assertThat(Duration.ofNanos(System.nanoTime() - begin)).isGreaterThan(Duration.ofSeconds(1));
            assertThat(process.exitValue()).isEqualTo(TERMINATED);
            assertThat(directory.resolve("log"))
                    .content()
                    .contains("serving webhook=")
                    .containsSubsequence("stopping", "stopped")
                    .doesNotContain("before the start had ended");
        } finally {
            process.destroyForcibly();
        }
    }

    @Test
    void aSecondSignalEndsItAtOnce() throws Exception {
        Process process = serve(20);
        try {
            end(process);
            awaitReadiness(process, 503);
            end(process);
            assertThat(process.waitFor(5, TimeUnit.SECONDS)).isTrue();
            assertThat(process.exitValue()).isEqualTo(TERMINATED);
        } finally {
            process.destroyForcibly();
        }
    }
}
