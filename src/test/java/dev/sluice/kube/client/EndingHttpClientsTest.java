package dev.sluice.kube.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.net.http.HttpClient;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class EndingHttpClientsTest {

    private static final Duration LONG = Duration.ofSeconds(20);

    /** A JVM that ends waits for the thread of a client that has not. */
    @Test
    void endWhenTheKubernetesClientIsClosed() throws Exception {
        EndingHttpClients clients = new EndingHttpClients();
        HttpClient client = clients.createNewHttpClientBuilder()
                .connectTimeout(LONG)
                .version(HttpClient.Version.HTTP_1_1)
                .build();

        assertThat(client.connectTimeout()).contains(LONG);
        assertThat(client.version()).isEqualTo(HttpClient.Version.HTTP_1_1);

        try (KubernetesClient kubernetes = new KubernetesClientBuilder()
                .withConfig(
                        new ConfigBuilder().withMasterUrl("http://127.0.0.1:1").build())
                .withHttpClientFactory(clients)
                .build()) {
            assertThat(kubernetes.getMasterUrl()).hasPort(1);
            assertThat(client.isTerminated()).isFalse();
        }

        assertThat(client.awaitTermination(LONG)).isTrue();
    }
}
