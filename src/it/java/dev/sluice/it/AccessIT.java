package dev.sluice.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.Ports;
import dev.sluice.tls.CertificateAuthority;
import dev.sluice.tls.CertifiedKey;
import dev.sluice.tls.ServerCertificateNames;
import io.fabric8.kubernetes.api.model.authentication.TokenRequestBuilder;
import io.fabric8.kubernetes.api.model.rbac.ClusterRoleBinding;
import io.fabric8.kubernetes.api.model.rbac.ClusterRoleBindingBuilder;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The management port with the rights of {@code k8s/components/secure-management}. */
@AgainstControlPlane
class AccessIT {

    private static final String RIGHTS = "k8s/components/secure-management/rbac.yaml";

    private final CertificateAuthority authority = CertificateAuthority.create(Instant.now(), Duration.ofDays(1));
    private final int port = Ports.free();

    @Test
    void theClusterSaysWhoMayRead(Cluster cluster) throws Exception {
        ControlPlane plane = cluster.plane();
        var _ = plane.kubectl("apply", "-f", RIGHTS).output();
        String reader = token(cluster, "access-reader");
        String stranger = token(cluster, "access-stranger");
        ClusterRoleBinding binding = cluster.client().resource(bound(cluster)).create();
        Daemon gateway = start(plane);
        try (HttpClient client =
                HttpClient.newBuilder().sslContext(Trust.in(authority)).build()) {
            Eventually.holds(
                    "the probe without a token says that the gateway is ready",
                    () -> gateway.runs() && status(client, "/readyz", "") == 200);
            Eventually.holds("the reader may read", () -> status(client, "/metrics", reader) == 200);
            assertThat(status(client, "/api/v1/decisions?limit=1", reader)).isEqualTo(200);
            assertThat(status(client, "/metrics", stranger)).isEqualTo(403);
            // Kubernetes grants /api/* to every account.
            assertThat(status(client, "/api/v1/decisions?limit=1", stranger)).isEqualTo(403);
            assertThat(status(client, "/metrics", "garbage")).isEqualTo(401);
            assertThat(status(client, "/metrics", "")).isEqualTo(401);
            withoutApiServer(plane, client, reader);
            String log = Files.readString(gateway.log());
            assertThat(log).doesNotContain(reader).doesNotContain("ERROR");
        } finally {
            gateway.kill();
            var _ = cluster.client().resource(binding).delete();
            var _ = plane.kubectl("delete", "-f", RIGHTS).output();
        }
    }

    /** What was allowed a moment ago still is, and nothing else can be known. */
    private void withoutApiServer(ControlPlane plane, HttpClient client, String reader) throws Exception {
        assertThat(status(client, "/metrics", reader)).isEqualTo(200);
        plane.killApiServer();
        try {
            assertThat(status(client, "/metrics", reader)).isEqualTo(200);
            HttpResponse<String> unknown = get(client, "/api/v1/openapi.json", reader);
            assertThat(unknown.statusCode()).isEqualTo(503);
            assertThat(unknown.headers().firstValue("Retry-After")).contains("1");
        } finally {
            plane.startApiServer();
        }
    }

    private int status(HttpClient client, String path, String token) throws Exception {
        return get(client, path, token).statusCode();
    }

    private HttpResponse<String> get(HttpClient client, String path, String token) throws Exception {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create("https://localhost:" + port + path));
        if (!token.isEmpty()) {
            var _ = request.header("Authorization", "Bearer " + token);
        }
        return client.send(request.build(), HttpResponse.BodyHandlers.ofString());
    }

    private Daemon start(ControlPlane plane) throws Exception {
        Path directory = plane.scratch("guarded");
        CertifiedKey pair = authority.issue(
                new ServerCertificateNames(List.of("localhost"), List.of("127.0.0.1")),
                Instant.now(),
                Duration.ofDays(1));
        Files.writeString(directory.resolve("tls.crt"), pair.certificatePem());
        Files.writeString(directory.resolve("tls.key"), pair.keyPem());
        Path config = Files.writeString(directory.resolve("gateway.yaml"), """
                webhook: {host: 127.0.0.1, port: %1$d}
                management: {host: localhost, port: %2$d, access: kubernetes}
                tls: {certificate: %3$s/tls.crt, key: %3$s/tls.key}
                kubernetes: {kubeconfig: %4$s}
                """.formatted(
                Ports.free(), port, directory, Account.byKubeconfig(plane).kubeconfig()));
        return plane.daemon(
                "guarded",
                List.of(Gateway.LAUNCHER.toString(), "serve", "--config", config.toString()),
                Map.of("SLUICE_JAVA_HOME", System.getProperty("java.home")));
    }

    private static String token(Cluster cluster, String name) {
        Account.create(cluster, cluster.namespace(), name);
        return cluster.client()
                .serviceAccounts()
                .inNamespace(cluster.namespace())
                .withName(name)
                .tokenRequest(new TokenRequestBuilder().withNewSpec().endSpec().build())
                .getStatus()
                .getToken();
    }

    private static ClusterRoleBinding bound(Cluster cluster) {
        return new ClusterRoleBindingBuilder()
                .withNewMetadata()
                .withName("access-reader")
                .endMetadata()
                .withNewRoleRef("rbac.authorization.k8s.io", "ClusterRole", "gpu-webhook-metrics-reader")
                .addNewSubject("", "ServiceAccount", "access-reader", cluster.namespace())
                .build();
    }
}
