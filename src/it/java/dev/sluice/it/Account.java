package dev.sluice.it;

import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.ServiceAccountBuilder;
import io.fabric8.kubernetes.api.model.authentication.TokenRequestBuilder;
import io.fabric8.kubernetes.api.model.authentication.TokenRequestSpec;
import io.fabric8.kubernetes.api.model.authentication.TokenRequestSpecBuilder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Who the gateway is towards the API server.
 *
 * @param kubeconfig as the configuration has it: a path, or the word null where the environment tells, as in a pod
 */
record Account(String name, String kubeconfig, Map<String, String> environment) {

    static final String JAVA_OPTIONS = "SLUICE_JAVA_OPTS";

    static final String NAMESPACE = "gpu-webhook";
    private static final String USER = "system:serviceaccount:" + NAMESPACE + ":gpu-webhook";

    /** By a kubeconfig. */
    static Account byKubeconfig(ControlPlane plane) throws IOException {
        Path file = plane.scratch("account").resolve("kubeconfig");
        Files.writeString(
                file, Kubeconfig.withToken(plane.server(), plane.caPem(), token(plane, new TokenRequestSpec())));
        return new Account(USER, file.toString(), Map.of());
    }

    /** The same with the namespace as in a pod: the Lease and the certificates are where the context is. */
    static Account inItsNamespace(ControlPlane plane) throws IOException {
        Account anywhere = byKubeconfig(plane);
        Path there = plane.scratch("account-in-namespace").resolve("kubeconfig");
        Files.writeString(
                there,
                Files.readString(Path.of(anywhere.kubeconfig()))
                        .replace("user: user}", "user: user, namespace: " + NAMESPACE + "}"));
        return new Account(anywhere.name(), there.toString(), anywhere.environment());
    }

    /** Creates a service account without any right. */
    static void create(Cluster cluster, String namespace, String name) {
        var _ = cluster.client()
                .resource(new ServiceAccountBuilder()
                        .withNewMetadata()
                        .withNamespace(namespace)
                        .withName(name)
                        .endMetadata()
                        .build())
                .create();
    }

    /** Returns true if the gateway finds its own namespace, where the ConfigMap of the summary is. */
    boolean isInItsNamespace() throws IOException {
        return kubeconfig.equals("null")
                ? !environment.containsKey("KUBECONFIG")
                : Files.readString(Path.of(kubeconfig.replaceFirst(",.*", ""))).contains("namespace: " + NAMESPACE);
    }

    /** Another service account, by a kubeconfig. */
    static Account of(ControlPlane plane, String namespace, String name) throws IOException {
        Path file = plane.scratch("account-of-" + name).resolve("kubeconfig");
        String token = tokenOf(plane, namespace, name, new TokenRequestSpec());
        Files.writeString(file, Kubeconfig.withToken(plane.server(), plane.caPem(), token));
        return new Account("system:serviceaccount:" + namespace + ":" + name, file.toString(), Map.of());
    }

    /** The same account, in the pod of that name, for a gateway that writes Events. */
    Account announcingIn(String pod) {
        return new Account(name, kubeconfig + ", events: true", Map.of("HOSTNAME", pod));
    }

    /** The same with these options of the JVM. */
    Account withJavaOptions(String options) {
        Map<String, String> all = new HashMap<>(environment);
        all.merge(JAVA_OPTIONS, options, (one, other) -> one + " " + other);
        return new Account(name, kubeconfig, all);
    }

    /** As in a pod: the address in the environment, the token in a file that kubelet writes anew now and then. */
    static Account mounted(ControlPlane plane, Path directory, String token) throws IOException {
        writeToken(directory, token);
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
                        JAVA_OPTIONS,
                        "-Dkubernetes.auth.serviceAccount.token=" + directory.resolve("token")
                                + " -Dkubernetes.certs.ca.file=" + directory.resolve("ca.crt")));
    }

    /** As in a pod, for a process that finds the directory where kubelet mounts it. */
    static Account inPod(ControlPlane plane, Path directory) throws IOException {
        Account mounted = mounted(plane, directory, token(plane, new TokenRequestSpec()));
        Files.writeString(directory.resolve("namespace"), NAMESPACE);
        Map<String, String> environment = new HashMap<>(mounted.environment());
        environment.keySet().removeAll(List.of("KUBECONFIG", JAVA_OPTIONS));
        return new Account(USER, "null", environment);
    }

    /** As kubelet renews it: all at once. */
    static void writeToken(Path directory, String token) throws IOException {
        Path fresh = directory.resolve("token.new");
        Files.writeString(fresh, token);
        Files.move(fresh, directory.resolve("token"), StandardCopyOption.ATOMIC_MOVE);
    }

    /** A token that is worth nothing once that secret is gone. */
    static String tokenBoundTo(Secret secret, ControlPlane plane) {
        return token(
                plane,
                new TokenRequestSpecBuilder()
                        .withNewBoundObjectRef()
                        .withApiVersion("v1")
                        .withKind("Secret")
                        .withName(secret.getMetadata().getName())
                        .withUid(secret.getMetadata().getUid())
                        .endBoundObjectRef()
                        .build());
    }

    private static String token(ControlPlane plane, TokenRequestSpec spec) {
        return tokenOf(plane, NAMESPACE, "gpu-webhook", spec);
    }

    private static String tokenOf(ControlPlane plane, String namespace, String name, TokenRequestSpec spec) {
        spec.setExpirationSeconds(7_200L);
        return plane.client()
                .serviceAccounts()
                .inNamespace(namespace)
                .withName(name)
                .tokenRequest(new TokenRequestBuilder().withSpec(spec).build())
                .getStatus()
                .getToken();
    }

    /**
     * What the API server forbade this account since then: it must never try more than its role allows. Only pods,
     * which it would show if it might, are asked for now and then.
     */
    List<String> forbidden(ControlPlane plane, Instant since) throws IOException {
        try (Stream<String> lines = Files.lines(plane.auditLog())) {
            return lines.map(AuditEvent::parse)
                    .filter(event -> event.user().equals(name))
                    .filter(event -> event.status() == 403)
                    .filter(event -> event.at().isAfter(since) && !plane.wasStarting(event.at()))
                    .map(event -> event.verb() + " " + event.uri())
                    .filter(attempt -> !attempt.startsWith("list /api/v1/pods?"))
                    .toList();
        }
    }
}
