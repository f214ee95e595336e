package dev.sluice.it;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.Base64;

/** The text of a kubeconfig. */
final class Kubeconfig {

    private Kubeconfig() {}

    static String withToken(String server, String caPem, String token) {
        return """
            apiVersion: v1
            kind: Config
            clusters: [{name: test, cluster: {server: "%s", certificate-authority-data: %s}}]
            users: [{name: user, user: {token: "%s"}}]
            contexts: [{name: test, context: {cluster: test, user: user}}]
            current-context: test
            """.formatted(server, Base64.getEncoder().encodeToString(caPem.getBytes(UTF_8)), token);
    }
}
