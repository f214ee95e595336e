package dev.sluice.cli.console;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import dev.sluice.cli.Cli;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Nobody listens on the ports of these clusters, so the message that a command ends with names the one it chose. */
class ConnectionOptionTest {

    @TempDir
    private Path directory;

    private Path kubeconfig;

    @BeforeEach
    void writeTwoContexts() throws IOException {
        kubeconfig = Files.writeString(directory.resolve("config"), """
                apiVersion: v1
                kind: Config
                current-context: near
                clusters:
                - {name: near, cluster: {server: "http://127.0.0.1:1"}}
                - {name: far, cluster: {server: "http://127.0.0.1:2"}}
                users: [{name: me, user: {}}]
                contexts:
                - {name: near, context: {cluster: near, user: me}}
                - {name: far, context: {cluster: far, user: me}}
                """);
    }

    private static Cli run(String command, Object... more) {
        Object[] words = new Object[more.length + command.split(" ").length];
        List<String> first = List.of(command.split(" "));
        first.toArray(words);
        System.arraycopy(more, 0, words, first.size(), more.length);
        return Cli.run(words);
    }

    @ParameterizedTest
    @ValueSource(strings = {"capacity", "doctor", "explain -f conf/demo/pods/train-2g.yaml"})
    void everyCommandThatReadsALiveClusterTakesKubeconfigAndContext(String command) {
        Cli far = run(command, "--kubeconfig", kubeconfig, "--context", "far");
        Cli missing = run(command, "--kubeconfig", kubeconfig, "--context", "farr");

        assertThat(far.code()).isEqualTo(2);
        assertThat(far.err()).contains("127.0.0.1:2").doesNotContain("127.0.0.1:1");
        assertThat(missing.code()).isEqualTo(2);
        assertThat(missing.err())
                .contains(kubeconfig + " has no context 'farr'; it has far, near; name one of them with --context")
                .hasLineCount(1);
    }

    @Test
    void theOptionsGoBeforeTheConfiguration() throws IOException {
        Path config = Files.writeString(
                directory.resolve("gateway.yaml"), "kubernetes: {kubeconfig: " + kubeconfig + ", context: far}\n");
        String explain = "explain -f conf/demo/pods/train-2g.yaml";

        assertThat(run(explain, "--config", config).err()).contains("127.0.0.1:2");
        assertThat(run(explain, "--config", config, "--context", "near").err()).contains("127.0.0.1:1");
        assertThat(run(explain, "--config", config, "--kubeconfig", kubeconfig).err())
                .contains("127.0.0.1:1");
    }

    @Test
    void aFileAndALiveClusterAreNotNamedTogether() {
        Cli both = run("capacity", "--cluster-snapshot", "cluster.yaml", "--context", "far");

        assertThat(both.code()).isEqualTo(2);
        assertThat(both.err()).contains("sluice capacity: --kubeconfig and --context are for the live cluster");
    }

    @Test
    void theSecretOfACertificateIsLookedForInTheClusterAndNamespaceThatAreNamed() throws IOException {
        HttpServer empty = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        empty.start();
        try {
            String here = Files.readString(kubeconfig)
                    .replace("127.0.0.1:2", "127.0.0.1:" + empty.getAddress().getPort());
            Path file = Files.writeString(directory.resolve("here"), here);
            String show = "certs show --secret certs -n team-a";

            assertThat(run(show, "--kubeconfig", file, "--context", "far").err())
                    .startsWith("there is no Secret team-a/certs");
            assertThat(run(show, "--kubeconfig", file, "--context", "farr").err())
                    .contains("has no context 'farr'; it has far, near");
        } finally {
            empty.stop(0);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "capacity",
                "doctor",
                "explain -f conf/demo/pods/train-2g.yaml",
                "certs show --secret certs -n team-a"
            })
    void aBrokenKubeconfigIsNoFaultOfSluice(String command) throws IOException {
        Path broken = Files.writeString(directory.resolve("broken"), "a: [1\nb: }");
        String sentence = broken + ", line 2, column 2: expected ',' or ']'";

        assertRefused(run(command, "--kubeconfig", broken), sentence);
        System.setProperty("kubeconfig", kubeconfig + ":" + broken);
        try {
            assertRefused(run(command), sentence);
        } finally {
            System.clearProperty("kubeconfig");
        }
    }

    /** Advice names only what the command has. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "capacity | --kubeconfig or KUBECONFIG | --context",
                "doctor | --kubeconfig or KUBECONFIG | --context",
                "certs show --secret certs -n team-a | --kubeconfig or KUBECONFIG | --context",
                "explain -f conf/demo/pods/train-2g.yaml | --kubeconfig, kubernetes.kubeconfig or KUBECONFIG"
                        + " | --context or kubernetes.context"
            })
    void advisesWhatTheCommandHas(String command, String kubeconfigs, String contexts) {
        Path none = directory.resolve("none");

        assertThat(run(command, "--kubeconfig", none).err())
                .isEqualTo(none + " does not exist; name another with " + kubeconfigs + "\n");
        assertThat(run(command, "--kubeconfig", kubeconfig, "--context", "farr").err())
                .endsWith("; name one of them with " + contexts + "\n");
    }

    @ParameterizedTest
    @CsvSource({"capacity, true", "certs show --secret certs -n team-a, false"})
    void advisesASnapshotOnlyToACommandThatReadsOne(String command, boolean readsOne) {
        System.setProperty("kubeconfig", directory.resolve("none").toString());
        try {
            String advice = run(command).err();

            assertThat(advice).contains("; set --kubeconfig or KUBECONFIG");
            assertThat(advice.contains("--cluster-snapshot")).isEqualTo(readsOne);
        } finally {
            System.clearProperty("kubeconfig");
        }
    }

    private static void assertRefused(Cli refused, String sentence) {
        assertThat(refused.err()).contains(sentence).hasLineCount(1);
        assertThat(refused.code()).isEqualTo(2);
    }

    /** fabric8 reads the system property before the variable of the same name. */
    @Test
    void mergesTheFilesOfKubeconfigAsKubectlDoes() throws IOException {
        Path first = Files.writeString(directory.resolve("first"), """
                apiVersion: v1
                kind: Config
                current-context: here
                clusters: [{name: far, cluster: {server: "http://127.0.0.1:3"}}]
                users: [{name: me, user: {}}]
                contexts: [{name: here, context: {cluster: far, user: me}}]
                """);
        System.setProperty("kubeconfig", first + ":" + directory.resolve("none") + ":" + kubeconfig);
        try {
            assertThat(run("capacity").err()).contains("127.0.0.1:3");
            assertThat(run("capacity", "--context", "near").err()).contains("127.0.0.1:1");
            assertThat(run("capacity", "--context", "far").err()).contains("127.0.0.1:3");
            assertThat(run("capacity", "--context", "no").err()).contains("it has far, here, near");
        } finally {
            System.clearProperty("kubeconfig");
        }
    }
}
