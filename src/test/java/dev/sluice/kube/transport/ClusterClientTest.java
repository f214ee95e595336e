package dev.sluice.kube.transport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.event.SourceProblem;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ClusterClientTest {

    private static final String TWO_CONTEXTS = """
            apiVersion: v1
            kind: Config
            clusters:
            - {name: near, cluster: {server: "https://near.example:6443"}}
            - {name: far, cluster: {server: "https://far.example:6443"}}
            contexts:
            - {name: one, context: {cluster: near, user: u}}
            - {name: two, context: {cluster: far, user: u}}
            - {name: lost, context: {cluster: nowhere, user: u}}
            users:
            - {name: u, user: {token: t}}
            current-context: one
            """;

    @TempDir
    private Path directory;

    private String serverOf(@Nullable String context) throws Exception {
        Path kubeconfig = Files.writeString(directory.resolve("config"), TWO_CONTEXTS);
        try (KubernetesClient client = ClusterClient.open(kubeconfig, context)) {
            return client.getMasterUrl().getHost();
        }
    }

    private void refuses(String kubeconfig, @Nullable String context, String message) throws Exception {
        Path file = Files.writeString(directory.resolve("config"), kubeconfig);
        assertThatThrownBy(() -> ClusterClient.open(file, context))
                .isInstanceOf(SourceProblem.class)
                .hasMessageContaining(file.toString())
                .hasMessageContaining(message);
    }

    @Test
    void takesTheContextThatIsAskedForOrTheCurrentOne() throws Exception {
        assertThat(serverOf(null)).isEqualTo("near.example");
        assertThat(serverOf("two")).isEqualTo("far.example");
    }

    @Test
    void namesTheContextsThereAre() throws Exception {
        refuses(TWO_CONTEXTS, "three", "has no context 'three'; it has lost, one, two");
        refuses(TWO_CONTEXTS, "lost", "names no cluster");
    }

    @Test
    void refusesWhatIsNoKubeconfig() throws Exception {
        refuses("", null, "is no kubeconfig");
        refuses("{{{", null, "is no kubeconfig");
        refuses("just text", null, "is no kubeconfig");
        refuses("foo: bar", null, "holds no context");
        assertThatThrownBy(() -> ClusterClient.open(directory.resolve("none"), null))
                .isInstanceOf(SourceProblem.class)
                .hasMessageContaining("there is no file " + directory.resolve("none"));
    }
}
