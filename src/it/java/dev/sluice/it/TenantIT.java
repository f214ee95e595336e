package dev.sluice.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.Ports;
import dev.sluice.tls.CertificateAuthority;
import dev.sluice.tls.CertifiedKey;
import dev.sluice.tls.ServerCertificateNames;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.authentication.TokenRequestBuilder;
import io.fabric8.kubernetes.api.model.rbac.ClusterRoleBinding;
import io.fabric8.kubernetes.api.model.rbac.ClusterRoleBindingBuilder;
import io.fabric8.kubernetes.api.model.rbac.RoleBindingBuilder;
import io.fabric8.kubernetes.api.model.rbac.RoleBuilder;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Two tenants ask a packaged gateway in availability mode, each with the right to its pods and to nothing else. One of
 * them is hostile.
 */
@AgainstControlPlane
class TenantIT {

    private static final String GPU = "nvidia.com/gpu";
    static final String GATEWAY = "tenant-gateway";

    /** Every name of the other tenant's objects begins with it. */
    private static final String SECRET = "secret-";

    private static final int REQUESTS = 1_000;

    /** The timeout of the readiness probe in the manifests. */
    private static final Duration PROBE = Duration.ofSeconds(2);

    private final CertificateAuthority authority = CertificateAuthority.create(Instant.now(), Duration.ofDays(1));
    private final int webhook = Ports.free();
    private final int port = Ports.free();
    private final List<HttpResponse<String>> answered = new ArrayList<>();

    @Test
    void aTenantAsksAboutItsOwnAndLearnsNothingOfOthers(Cluster cluster) throws Exception {
        ControlPlane plane = cluster.plane();
        String own = cluster.namespace();
        String other = cluster.sibling("-other");
        String token = tenant(cluster, own, "mine");
        String otherToken = tenant(cluster, other, SECRET + "account");
        cluster.node("gpu", Map.of(GPU, "4"));
        assertThat(cluster.create(onNode(Pods.asking(SECRET + "training", GPU, 3)), other)
                        .status())
                .isEqualTo(201);
        DoctorIT.created(cluster, Pods.asking("never", GPU, 8));
        ClusterRoleBinding binding = trusted(cluster);
        Daemon gateway = start(cluster, authority, webhook, port);
        try (HttpClient client =
                HttpClient.newBuilder().sslContext(Trust.in(authority)).build()) {
            Eventually.holds(
                    "the gateway is ready",
                    () -> gateway.runs() && get(client, "/readyz", "").statusCode() == 200);
            decided(client, own, "own-train");
            decided(client, other, SECRET + "train");
            seesItsOwn(client, own, token);
            isRefused(client, own, other, token);
            isRefusedWithAnotherAudience(cluster, client, own);
            asksByCommand(plane, own, token);
            asksWithoutEnd(client, own, token, other, otherToken);
            assertThat(answered).allSatisfy(answer -> assertThat(answer.body()).doesNotContain(SECRET));
            assertThat(answered.stream().filter(answer -> answer.statusCode() == 200))
                    .isNotEmpty()
                    .allSatisfy(answer -> assertThat(answer.body()).doesNotContain(other));
            assertThat(get(client, "/api/v1/decisions?namespace=" + other, otherToken)
                            .body())
                    .contains(SECRET + "train");
            assertThat(Files.readString(gateway.log())).doesNotContain("ERROR").doesNotContain(token);
        } finally {
            gateway.kill();
            var _ = cluster.client().resource(binding).delete();
        }
    }

    private void seesItsOwn(HttpClient client, String own, String token) {
        assertThat(asked(client, "/api/v1/decisions?namespace=" + own, token))
                .contains("own-train")
                .contains("\"moreWarnings\"");
        assertThat(asked(client, "/api/v1/decisions/summary?namespace=" + own, token))
                .contains("\"totals\"");
        Eventually.within(
                Duration.ofSeconds(20),
                "the own pod is diagnosed",
                () -> asked(client, "/api/v1/diagnosis?namespace=" + own, token).contains("\"never\""));
        String explained = explained(client, own, token, Pods.asking("train", GPU, 2));
        assertThat(explained)
                .contains("\"policy\":\"gateway\"")
                .contains("\"reservations\":\"own\"")
                .contains("\"answer\":\"inUse\"")
                .contains("{\"pod\":\"others\",\"bound\":true,\"amount\":3}")
                .contains("Policy: that of the running gateway");
        assertThat(explained(client, own, token, onNode(Pods.asking("train", GPU, 4))))
                .contains("others");
    }

    private void isRefused(HttpClient client, String own, String other, String token) throws Exception {
        for (String path : List.of(
                "/metrics",
                "/api/v1/capacity",
                "/api/v1/bypassed",
                "/api/v1/events",
                "/api/v1/events?namespace=" + other,
                "/api/v1/fleet/nodes/n1",
                "/api/v1/replicas",
                "/api/v1/decisions",
                "/api/v1/decisions/review-of-" + SECRET.charAt(0),
                "/api/v1/decisions?namespace=" + other,
                "/api/v1/decisions/summary?namespace=" + other,
                "/api/v1/decisions?namespace=" + own + "&namespace=" + other,
                "/api/v1/diagnosis?namespace=" + other,
                "/api/v1/diagnosis?namespace=kube-system",
                "/api/v1/diagnosis")) {
            HttpResponse<String> answer = get(client, path, token);
            answered.add(answer);
            assertThat(answer.statusCode()).as(path).isEqualTo(403);
        }
        for (String query : List.of("", "?namespace=" + other)) {
            HttpResponse<String> answer = post(client, query, token, Pods.json(Pods.asking("train", GPU)));
            answered.add(answer);
            assertThat(answer.statusCode()).as(query).isEqualTo(403);
        }
    }

    private void isRefusedWithAnotherAudience(Cluster cluster, HttpClient client, String own) throws Exception {
        String token = cluster.client()
                .serviceAccounts()
                .inNamespace(own)
                .withName("mine")
                .tokenRequest(new TokenRequestBuilder()
                        .withNewSpec()
                        .withAudiences("https://vault.example.com")
                        .endSpec()
                        .build())
                .getStatus()
                .getToken();
        assertThat(get(client, "/api/v1/decisions?namespace=" + own, token).statusCode())
                .isEqualTo(401);
    }

    /** The tenant asks by the commands that {@code tenants.md} names. */
    private void asksByCommand(ControlPlane plane, String own, String token) throws Exception {
        Path directory = plane.scratch("tenant");
        Files.writeString(directory.resolve("token"), token);
        Files.writeString(directory.resolve("ca.crt"), authority.certificatePem());
        Files.writeString(directory.resolve("pod.yaml"), """
                apiVersion: v1
                kind: Pod
                metadata: {name: train}
                spec: {containers: [{name: main, image: none, resources: {limits: {nvidia.com/gpu: 2}}}]}
                """);
        assertThat(command(directory, own, "explain", "-f", "pod.yaml"))
                .contains("Pod train, namespace " + own)
                .contains("used by others")
                .doesNotContain(SECRET);
        assertThat(command(directory, own, "decisions")).contains("own-train").doesNotContain(SECRET);
        assertThat(command(directory, own, "doctor")).contains("never").doesNotContain(SECRET);
    }

    private String command(Path directory, String own, String... words) {
        List<String> all = Stream.of(
                        Stream.of(Gateway.LAUNCHER.toString()),
                        Arrays.stream(words),
                        Stream.of(
                                "-n",
                                own,
                                "--url",
                                "https://localhost:" + port,
                                "--token-file",
                                "token",
                                "--ca-file",
                                "ca.crt"))
                .flatMap(part -> part)
                .toList();
        return Command.in(directory, all)
                .with("SLUICE_JAVA_HOME", System.getProperty("java.home"))
                .output();
    }

    /** The other tenant and the probes are answered all the while. */
    private void asksWithoutEnd(HttpClient client, String own, String token, String other, String otherToken)
            throws Exception {
        String body = Pods.json(Pods.asking("train", GPU, 2));
        List<HttpResponse<String>> ofFlood = new ArrayList<>();
        long begin = System.nanoTime();
        try (ExecutorService hostile = Executors.newFixedThreadPool(8)) {
            List<Future<HttpResponse<String>>> flood = new ArrayList<>();
            for (int i = 0; i < REQUESTS; i++) {
                int number = i;
                flood.add(hostile.submit(() -> number % 2 == 0
                        ? get(client, "/api/v1/decisions?namespace=" + own + "&limit=" + (1 + number % 999), token)
                        : post(client, "?namespace=" + own, token, body)));
            }
            try (HttpClient fresh =
                    HttpClient.newBuilder().sslContext(Trust.in(authority)).build()) {
                for (int i = 0; i < 5; i++) {
                    assertThat(get(fresh, "/livez", "").statusCode()).isEqualTo(200);
                    assertThat(get(fresh, "/readyz", "").statusCode()).isEqualTo(200);
                    assertThat(get(fresh, "/api/v1/decisions?namespace=" + other, otherToken)
                                    .statusCode())
                            .isEqualTo(200);
                }
            }
            for (Future<HttpResponse<String>> each : flood) {
                ofFlood.add(each.get());
            }
        }
        answered.addAll(ofFlood);
        double seconds = (System.nanoTime() - begin) / 1e9;
        List<Integer> statuses = ofFlood.stream().map(HttpResponse::statusCode).toList();
        assertThat(statuses).contains(429).isSubsetOf(200, 429);
        // Ten at once and two a second.
        assertThat(statuses.stream().filter(status -> status == 200).count()).isLessThan((long) (12 + 2 * seconds));
        assertThat(ofFlood.stream().filter(answer -> answer.statusCode() == 429))
                .allSatisfy(answer ->
                        assertThat(answer.headers().firstValue("Retry-After")).contains("1"));
    }

    private String asked(HttpClient client, String path, String token) {
        return patiently(() -> get(client, path, token));
    }

    private String explained(HttpClient client, String own, String token, Pod pod) {
        return patiently(() -> post(client, "?text=true&namespace=" + own, token, Pods.json(pod)));
    }

    private interface Question {
        HttpResponse<String> ask() throws Exception;
    }

    /** The answer of a client that waits when it is told to. */
    private String patiently(Question question) {
        return Eventually.found("the tenant is answered", () -> {
            HttpResponse<String> answer = question.ask();
            answered.add(answer);
            return Optional.of(answer.body()).filter(_ -> answer.statusCode() != 429 && answer.statusCode() != 503);
        });
    }

    private HttpResponse<String> get(HttpClient client, String path, String token) throws Exception {
        return send(client, request(path, token));
    }

    private HttpResponse<String> post(HttpClient client, String query, String token, String body) throws Exception {
        return send(
                client,
                request("/api/v1/explain" + query, token)
                        .header("Content-Type", "application/json")
                        .POST(BodyPublishers.ofString(body)));
    }

    private HttpRequest.Builder request(String path, String token) {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create("https://localhost:" + port + path));
        return token.isEmpty()
                ? request.timeout(PROBE)
                : request.header("Authorization", "Bearer " + token).timeout(Duration.ofSeconds(20));
    }

    private static HttpResponse<String> send(HttpClient client, HttpRequest.Builder request) throws Exception {
        return client.send(request.build(), BodyHandlers.ofString());
    }

    /** Sends the review that the API server would send. */
    private void decided(HttpClient client, String namespace, String name) {
        HttpRequest.Builder request = review(webhook, namespace, name);
        Eventually.holds(
                "the review of " + name + " is answered",
                () -> send(client, request).statusCode() == 200);
    }

    static HttpRequest.Builder review(int webhook, String namespace, String name) {
        String review = """
                {"apiVersion": "admission.k8s.io/v1", "kind": "AdmissionReview", "request": {"uid": "review-of-%s",
                 "kind": {"group": "", "version": "v1", "kind": "Pod"}, "name": "%s", "namespace": "%s",
                 "resource": {"group": "", "version": "v1", "resource": "pods"}, "operation": "CREATE",
                 "dryRun": true, "object": %s}}
                """.formatted(name, name, namespace, Pods.json(Pods.asking(name, GPU, 8)));
        return HttpRequest.newBuilder(URI.create("https://localhost:" + webhook + "/mutate"))
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofString(review));
    }

    private static Pod onNode(Pod pod) {
        return new PodBuilder(pod).editSpec().withNodeName("gpu").endSpec().build();
    }

    /** An account that may do what the documents ask for, and nothing else. */
    static String tenant(Cluster cluster, String namespace, String account) {
        Account.create(cluster, namespace, account);
        var _ = cluster.client()
                .resource(new RoleBuilder()
                        .withNewMetadata()
                        .withName("tenant")
                        .withNamespace(namespace)
                        .endMetadata()
                        .addNewRule()
                        .withApiGroups("")
                        .withResources("pods")
                        .withVerbs("create", "get", "list")
                        .endRule()
                        .build())
                .create();
        var _ = cluster.client()
                .resource(new RoleBindingBuilder()
                        .withNewMetadata()
                        .withName("tenant")
                        .withNamespace(namespace)
                        .endMetadata()
                        .withNewRoleRef("rbac.authorization.k8s.io", "Role", "tenant")
                        .addNewSubject("", "ServiceAccount", account, namespace)
                        .build())
                .create();
        return cluster.client()
                .serviceAccounts()
                .inNamespace(namespace)
                .withName(account)
                .tokenRequest(new TokenRequestBuilder().withNewSpec().endSpec().build())
                .getStatus()
                .getToken();
    }

    /** The rights of the gateway are shown elsewhere; here it has all. */
    static ClusterRoleBinding trusted(Cluster cluster) {
        Account.create(cluster, cluster.namespace(), GATEWAY);
        return cluster.client()
                .resource(new ClusterRoleBindingBuilder()
                        .withNewMetadata()
                        .withName(GATEWAY)
                        .endMetadata()
                        .withNewRoleRef("rbac.authorization.k8s.io", "ClusterRole", "cluster-admin")
                        .addNewSubject("", "ServiceAccount", GATEWAY, cluster.namespace())
                        .build())
                .create();
    }

    /** Starts a gateway in availability mode that asks the cluster who may read. */
    static Daemon start(Cluster cluster, CertificateAuthority authority, int webhook, int port) throws IOException {
        ControlPlane plane = cluster.plane();
        Path directory = plane.scratch(GATEWAY);
        CertifiedKey pair = authority.issue(
                new ServerCertificateNames(
                        List.of("localhost", "gpu-webhook." + cluster.namespace() + ".svc"), List.of("127.0.0.1")),
                Instant.now(),
                Duration.ofDays(1));
        Files.writeString(directory.resolve("tls.crt"), pair.certificatePem());
        Files.writeString(directory.resolve("tls.key"), pair.keyPem());
        Path kubeconfig = directory.resolve("kubeconfig");
        Files.writeString(
                kubeconfig,
                Files.readString(Path.of(
                                Account.of(plane, cluster.namespace(), GATEWAY).kubeconfig()))
                        .replace("user: user}", "user: user, namespace: " + cluster.namespace() + "}"));
        Path config = Files.writeString(
                directory.resolve("gateway.yaml"), """
                webhook: {host: localhost, port: %1$d}
                management: {host: localhost, port: %2$d, access: kubernetes, diagnosisSeconds: 5}
                tls: {certificate: %3$s/tls.crt, key: %3$s/tls.key}
                kubernetes: {kubeconfig: %4$s}
                policy: {mode: availability}
                """.formatted(webhook, port, directory, kubeconfig));
        return plane.daemon(
                GATEWAY,
                List.of(Gateway.LAUNCHER.toString(), "serve", "--config", config.toString()),
                Map.of(
                        "SLUICE_JAVA_HOME",
                        System.getProperty("java.home"),
                        "SLUICE_JAVA_OPTS",
                        "-Dsluice.takeover.divisor=8"));
    }
}
