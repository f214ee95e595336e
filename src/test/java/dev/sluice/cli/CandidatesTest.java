package dev.sluice.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeout;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What {@code kubectl_complete-gpu} answers. */
class CandidatesTest {

    @TempDir
    private Path directory;

    private final HttpServer server;

    CandidatesTest() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    }

    @AfterEach
    void stop() {
        server.stop(0);
    }

    private static List<String> complete(String... words) {
        Object[] all =
                Stream.concat(Stream.of("__complete", "--"), Stream.of(words)).toArray();
        Cli run = Cli.run(all);
        assertThat(run.code()).isZero();
        assertThat(run.err()).isEmpty();
        return run.out().lines().toList();
    }

    @Test
    void offersTheCommandsWithWhatTheyAreFor() {
        assertThat(complete(""))
                .contains("capacity\tShows what the nodes offer, GPUs first, and what of it is free.")
                .endsWith(":4")
                .noneMatch(line -> line.startsWith("__complete"));
        assertThat(complete()).isEqualTo(complete(""));
        assertThat(complete("ch")).hasSize(2).first().asString().startsWith("check\t");
        assertThat(complete("certs", "sh")).hasSize(2).first().asString().startsWith("show\t");
    }

    @Test
    void offersTheOptionsOfTheCommand() {
        assertThat(complete("doctor", "--kube")).containsExactly("--kubeconfig\tOf the live cluster.", ":4");
        assertThat(complete("capacity", "--context", "far", "--res"))
                .first()
                .asString()
                .startsWith("--resource\t");
        assertThat(complete("capacity", "--nonsense")).containsExactly(":4");
    }

    @Test
    void offersTheValuesOfAnOption() {
        assertThat(complete("explain", "-o", "")).containsExactly("text", "json", "patch", ":4");
        assertThat(complete("explain", "--output", "j")).containsExactly("json", ":4");
        assertThat(complete("completion", "z")).containsExactly("zsh", ":4");
    }

    @Test
    void leavesFilesToTheShell() {
        assertThat(complete("explain", "-f", "")).containsExactly(":0");
        assertThat(complete("doctor", "--kubeconfig", "a")).containsExactly(":0");
        assertThat(complete("certs", "show", "x")).containsExactly(":0");
        assertThat(complete("capacity", "--node", "")).containsExactly(":4");
    }

    @Test
    void offersTheContextsOfTheKubeconfig() throws Exception {
        Path file = kubeconfig("http://127.0.0.1:1");

        assertThat(complete("doctor", "--kubeconfig", file.toString(), "--context", ""))
                .containsExactly("arn:aws:eks:eu-1:7:cluster/a", "lab", ":4");
        assertThat(complete("--kubeconfig=" + file, "--context", "la")).containsExactly("lab", ":4");
        assertThat(complete("--kubeconfig", directory.resolve("none").toString(), "--context", ""))
                .containsExactly(":4");
    }

    @Test
    void offersNamespacesAndNodesOfTheCluster() throws Exception {
        server.createContext("/api/v1/", exchange -> {
            boolean nodes = exchange.getRequestURI().toString().equals("/api/v1/nodes?limit=500");
            byte[] list = (nodes
                            ? "{\"items\": [{\"metadata\": {\"labels\": {\"name\": \"x\"}, \"name\": \"gpu-1\"}, \"spec\": {}}]}"
                            : "{\"items\": [{\"metadata\": {\"name\": \"team-b\"}}, {\"metadata\": {\"name\": \"team-a\"}},"
                                    + " {\"metadata\": {\"name\": \"$(x)\"}}]}")
                    .getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(200, list.length);
            try (OutputStream body = exchange.getResponseBody()) {
                body.write(list);
            }
        });
        server.start();
        String file =
                kubeconfig("http://127.0.0.1:" + server.getAddress().getPort()).toString();

        assertThat(complete("doctor", "--kubeconfig", file, "-n", "")).containsExactly("team-a", "team-b", ":4");
        assertThat(complete("--kubeconfig", file, "-n", "team-b")).containsExactly("team-b", ":4");
        assertThat(complete("capacity", "--kubeconfig", file, "--context", "lab", "--node", "g"))
                .containsExactly("gpu-1", ":4");
    }

    @Test
    void isSilentAboutAClusterThatCannotBeAsked() throws Exception {
        String file = kubeconfig("http://127.0.0.1:1").toString();

        assertThat(complete("doctor", "--kubeconfig", file, "-n", "")).containsExactly(":4");
    }

    @Test
    void doesNotWaitForAClusterThatDoesNotAnswer() throws Exception {
        CountDownLatch end = new CountDownLatch(1);
        server.createContext("/", _ -> awaitEnd(end));
        server.start();
        String file =
                kubeconfig("http://127.0.0.1:" + server.getAddress().getPort()).toString();

        assertTimeout(
                Duration.ofSeconds(20),
                () -> assertThat(complete("doctor", "--kubeconfig", file, "-n", ""))
                        .containsExactly(":4"));
        end.countDown();
    }

    private static void awaitEnd(CountDownLatch end) {
        try {
            assertThat(end.await(1, TimeUnit.MINUTES)).isTrue();
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    private Path kubeconfig(String server) throws IOException {
        return Files.writeString(directory.resolve("kubeconfig"), """
                apiVersion: v1
                kind: Config
                current-context: lab
                clusters: [{name: lab, cluster: {server: "%s"}}]
                users: [{name: me, user: {}}]
                contexts:
                - {name: lab, context: {cluster: lab, user: me}}
                - {name: "arn:aws:eks:eu-1:7:cluster/a", context: {cluster: lab, user: me}}
                - {name: "$(reboot)", context: {cluster: lab, user: me}}
                - {name: "two words", context: {cluster: lab, user: me}}
                """.formatted(server));
    }
}
