package dev.sluice.it;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.tls.CertificateAuthority;
import dev.sluice.tls.CertifiedKey;
import dev.sluice.tls.ServerCertificateNames;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.ServiceBuilder;
import io.fabric8.kubernetes.api.model.admissionregistration.v1.MutatingWebhookConfiguration;
import io.fabric8.kubernetes.api.model.admissionregistration.v1.WebhookClientConfig;
import io.fabric8.kubernetes.api.model.admissionregistration.v1.WebhookClientConfigBuilder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * API servers that show a certificate to the gateway, as {@code src/docs/hardening.md} sets them up, and one that does
 * not.
 */
@AgainstControlPlane
class ClientCertificatesIT {

    private static final Duration DAY = Duration.ofDays(1);

    private final CertificateAuthority callers = CertificateAuthority.create(Instant.now(), DAY);
    private final CertificateAuthority strangers = CertificateAuthority.create(Instant.now(), DAY);
    private @Nullable Gateway gateway;

    @BeforeEach
    void theGatewayAsksForCertificates(Cluster cluster) throws Exception {
        cluster.node("worker", Map.of("nvidia.com/gpu", "4"));
        ControlPlane plane = cluster.plane();
        Gateway started = Gateway.cold(plane, "asking", Account.byKubeconfig(plane), Gateway.SHIPPED_POLICY);
        gateway = started;
        Path authority = plane.scratch("callers").resolve("ca.crt");
        Files.writeString(authority, callers.certificatePem());
        started.restartWithTls("clientCa: " + authority + ", clientNames: [gpu-webhook-caller]");
        started.awaitNodes(1);
    }

    @AfterEach
    void theUsualOneIsAskedAgain(Cluster cluster) throws Exception {
        register(
                cluster,
                new WebhookClientConfigBuilder()
                        .withUrl(cluster.gateway().url())
                        .withCaBundle(Base64.getEncoder()
                                .encodeToString(cluster.gateway().caBundle()))
                        .build());
        if (gateway != null) {
            gateway.kill();
        }
    }

    @Test
    void whoShowsTheRightNameIsServedAndEverybodyElsePassesUndecided(Cluster cluster) throws Exception {
        register(cluster, byUrl());
        String name = "127.0.0.1:" + gateway().webhookPort();
        ControlPlane.ApiServer right = showing(cluster, name, pair(callers, "gpu-webhook-caller"));
        ControlPlane.ApiServer wrong = showing(cluster, name, pair(callers, "somebody-else"));
        ControlPlane.ApiServer strange = showing(cluster, name, pair(strangers, "gpu-webhook-caller"));
        try {
            Eventually.holds("it is served", () -> decides(cluster, right.api()));
            for (Api refused : List.of(cluster.plane().api(), wrong.api(), strange.api())) {
                Eventually.holds("it is refused", () -> failsOpen(cluster, refused));
            }
            assertThat(failsOpen(cluster, right.api())).isFalse();
        } finally {
            for (ControlPlane.ApiServer server : List.of(right, wrong, strange)) {
                server.daemon().kill();
            }
        }
    }

    /** Through the Service, as in a cluster: the name in the kubeconfig is the Service's then. */
    @Test
    void theServiceIsNamedInTheKubeconfig(Cluster cluster) throws Exception {
        var service = cluster.client().services().inNamespace(Account.NAMESPACE).withName("gpu-webhook");
        Service shipped = Objects.requireNonNull(service.get());
        var _ = service.delete();
        var _ = cluster.client().resource(loopback()).create();
        register(cluster, byService());
        ControlPlane.ApiServer server = showing(
                cluster, "gpu-webhook.gpu-webhook.svc:" + gateway().webhookPort(), pair(callers, "gpu-webhook-caller"));
        try {
            Eventually.holds("it is served", () -> decides(cluster, server.api()));
            Eventually.holds(
                    "it is refused", () -> failsOpen(cluster, cluster.plane().api()));
        } finally {
            server.daemon().kill();
            var _ = service.delete();
            shipped.getMetadata().setResourceVersion(null);
            shipped.getMetadata().setUid(null);
            var _ = cluster.client().resource(shipped).create();
        }
    }

    private static CertifiedKey pair(CertificateAuthority authority, String name) {
        return authority.issueForClient(new ServerCertificateNames(List.of(name), List.of()), Instant.now(), DAY);
    }

    /** The three files of the document: the pair, the kubeconfig that names it, and the AdmissionConfiguration. */
    private static ControlPlane.ApiServer showing(Cluster cluster, String webhook, CertifiedKey pair)
            throws IOException {
        String id = "showing-" + System.nanoTime();
        Path files = cluster.plane().scratch(id);
        Files.writeString(files.resolve("tls.crt"), pair.certificatePem());
        Files.writeString(files.resolve("tls.key"), pair.keyPem());
        Files.writeString(files.resolve("kubeconfig"), """
            apiVersion: v1
            kind: Config
            users:
              - name: %s
                user:
                  client-certificate: %s
                  client-key: %s
            """.formatted(
                        webhook, files.resolve("tls.crt"), files.resolve("tls.key")));
        Files.writeString(files.resolve("admission.yaml"), """
            apiVersion: apiserver.config.k8s.io/v1
            kind: AdmissionConfiguration
            plugins:
              - name: MutatingAdmissionWebhook
                configuration:
                  apiVersion: apiserver.config.k8s.io/v1
                  kind: WebhookAdmissionConfiguration
                  kubeConfigFile: %s
            """.formatted(files.resolve("kubeconfig")));
        return cluster.plane()
                .anotherApiServer(id, List.of("--admission-control-config-file=" + files.resolve("admission.yaml")));
    }

    private boolean decides(Cluster cluster, Api api) throws Exception {
        double before = gateway().decisions();
        var _ = dryRun(cluster, api);
        return gateway().decisions() == before + 1;
    }

    private boolean failsOpen(Cluster cluster, Api api) throws Exception {
        double counted = api.failOpenCount();
        double before = gateway().decisions();
        assertThat(dryRun(cluster, api).status()).isEqualTo(201);
        return gateway().decisions() == before && api.failOpenCount() == counted + 1;
    }

    private static Api.Answer dryRun(Cluster cluster, Api api) throws Exception {
        return api.create(
                Pods.asking("pod", "nvidia.com/gpu"), "/api/v1/namespaces/" + cluster.namespace() + "/pods?dryRun=All");
    }

    private Gateway gateway() {
        return Objects.requireNonNull(gateway);
    }

    private WebhookClientConfig byUrl() {
        return new WebhookClientConfigBuilder()
                .withUrl(gateway().url())
                .withCaBundle(authority())
                .build();
    }

    private WebhookClientConfig byService() {
        return new WebhookClientConfigBuilder()
                .withCaBundle(authority())
                .withNewService()
                .withNamespace(Account.NAMESPACE)
                .withName("gpu-webhook")
                .withPath("/mutate")
                .withPort(gateway().webhookPort())
                .endService()
                .build();
    }

    private String authority() {
        return Base64.getEncoder().encodeToString(new String(gateway().caBundle(), UTF_8).getBytes(UTF_8));
    }

    /** A Service that leads to this machine; a cluster's own addresses lead nowhere here. */
    private Service loopback() {
        return new ServiceBuilder()
                .withNewMetadata()
                .withNamespace(Account.NAMESPACE)
                .withName("gpu-webhook")
                .endMetadata()
                .withNewSpec()
                .withType("ExternalName")
                .withExternalName("localhost")
                .addNewPort()
                .withPort(gateway().webhookPort())
                .endPort()
                .endSpec()
                .build();
    }

    private static void register(Cluster cluster, WebhookClientConfig address) {
        var _ = cluster.client()
                .resources(MutatingWebhookConfiguration.class)
                .withName(Registration.NAME)
                .edit(found -> {
                    found.getWebhooks().forEach(webhook -> webhook.setClientConfig(address));
                    return found;
                });
    }
}
