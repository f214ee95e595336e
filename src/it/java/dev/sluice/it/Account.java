package dev.sluice.it;

import io.fabric8.kubernetes.api.model.authentication.TokenRequestBuilder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Who the gateway is towards the API server.
 *
 * @param kubeconfig a path, or {@code null} where the environment tells, as in a pod
 */
record Account(String name, String kubeconfig, Map<String, String> environment) {

    static final String NAMESPACE = "gpu-webhook";
    private static final String USER = "system:serviceaccount:" + NAMESPACE + ":gpu-webhook";

    /** By a kubeconfig. */
    static Account byKubeconfig(ControlPlane plane) throws IOException {
        Path file = plane.scratch("account").resolve("kubeconfig");
        Files.writeString(file, Kubeconfig.withToken(plane.server(), plane.caPem(), token(plane)));
        return new Account(USER, file.toString(), Map.of());
    }

    /** As in a pod: the address in the environment, the token in a file that kubelet writes anew now and then. */
    static Account mounted(ControlPlane plane, Path directory) throws IOException {
        writeToken(plane, directory);
        Files.writeString(directory.resolve("ca.crt"), plane.caPem());
        int colon = plane.server().lastIndexOf(':');
        return new Account(
                USER,
                "null",
                Map.of(
                        "KUBERNETES_SERVICE_HOST",
                        "127.0.0.1",
                        "KUBERNETES_SERVICE_PORT",
                        plane.server().substring(colon + 1),
                        "KUBECONFIG",
                        directory.resolve("none").toString(),
                        "SLUICE_JAVA_OPTS",
                        "-Dkubernetes.auth.serviceAccount.token=" + directory.resolve("token")
                                + " -Dkubernetes.certs.ca.file=" + directory.resolve("ca.crt")));
    }

    /** As kubelet renews it: all at once. */
    static void writeToken(ControlPlane plane, Path directory) throws IOException {
        Path fresh = directory.resolve("token.new");
        Files.writeString(fresh, token(plane));
        Files.move(fresh, directory.resolve("token"), StandardCopyOption.ATOMIC_MOVE);
    }

    private static String token(ControlPlane plane) {
        return plane.client()
                .serviceAccounts()
                .inNamespace(NAMESPACE)
                .withName("gpu-webhook")
                .tokenRequest(new TokenRequestBuilder()
                        .withNewSpec()
                        .withExpirationSeconds(7_200L)
                        .endSpec()
                        .build())
                .getStatus()
                .getToken();
    }

    /** What the API server forbade this account since then: it must never try more than its role allows. */
    List<String> forbidden(ControlPlane plane, Instant since) throws IOException {
        try (Stream<String> lines = Files.lines(plane.auditLog())) {
            return lines.map(AuditEvent::parse)
                    .filter(event -> event.user().equals(name))
                    .filter(event -> event.status() == 403)
                    .filter(event -> event.at().isAfter(since))
                    .map(event -> event.verb() + " " + event.uri())
                    .toList();
        }
    }
}
