package dev.sluice.kube.client;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.cluster.ClusterStateException;
import dev.sluice.tls.CertificateAuthority;
import dev.sluice.tls.CertifiedKey;
import dev.sluice.tls.ServerCertificateNames;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class KubernetesClientFactoryTest {

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
        try (KubernetesClient client =
                KubernetesClientFactory.open(kubeconfig, context, KubeconfigAdvice.OPTIONS_AND_CONFIGURATION)) {
            return client.getMasterUrl().getHost();
        }
    }

    private void refuses(String kubeconfig, @Nullable String context, String message) throws Exception {
        Path file = Files.writeString(directory.resolve("config"), kubeconfig);
        assertThatThrownBy(
                        () -> KubernetesClientFactory.open(file, context, KubeconfigAdvice.OPTIONS_AND_CONFIGURATION))
                .isInstanceOf(ClusterStateException.class)
                .hasMessageContaining(file.toString())
                .hasMessageContaining(message);
    }

    @Test
    void takesTheContextThatIsAskedForOrTheCurrentOne() throws Exception {
        assertThat(serverOf(null)).isEqualTo("near.example");
        assertThat(serverOf("two")).isEqualTo("far.example");
    }

    @Test
    void aTokenThatIsNoneIsNotShown() throws Exception {
        Path kubeconfig = Files.writeString(
                directory.resolve("config"), TWO_CONTEXTS.replace("token: t", "token: \"secret\\nX-Other: y\""));
        try (KubernetesClient client =
                KubernetesClientFactory.open(kubeconfig, null, KubeconfigAdvice.OPTIONS_AND_CONFIGURATION)) {
            ApiServer server = new ApiServer(client);

            assertThatThrownBy(() -> server.reply("/api", Duration.ofSeconds(10)))
                    .isInstanceOf(IOException.class)
                    .hasMessage("the credentials have a character that HTTP does not allow, such as a line break")
                    .hasNoCause();
        }
    }

    @Test
    void namesTheContextsThereAre() throws Exception {
        refuses(TWO_CONTEXTS, "three", "has no context 'three'; it has lost, one, two");
        refuses(TWO_CONTEXTS, "lost", "names no cluster");
    }

    @Test
    void refusesWhatIsNoKubeconfig() throws Exception {
        refuses("", null, "is not a kubeconfig");
        refuses("contexts: [{name: [a]}]\ncurrent-context: {}\n", null, "holds no context");
        refuses("just text", null, "is not a kubeconfig");
        refuses("foo: bar", null, "holds no context");
        refuses("contexts: &c\n- *c\n", null, "has an alias of a value that contains it");
        assertThatThrownBy(() -> KubernetesClientFactory.open(
                        directory.resolve("none"), null, KubeconfigAdvice.OPTIONS_AND_CONFIGURATION))
                .isInstanceOf(ClusterStateException.class)
                .hasMessage(directory.resolve("none") + " does not exist; name another with --kubeconfig,"
                        + " kubernetes.kubeconfig or KUBECONFIG");
    }

    @Test
    void namesTheFileAndTheLineOfBrokenYaml() throws Exception {
        refuses("{{{", null, "config, line 1, column ");
        refuses("a: [1\nb: }", null, "config, line 2, column 2: expected ',' or ']'");
        refuses("users: []\nusers: []", null, "config, line 2, column ");
        refuses("kind: Config\nuser\0s: []", null, "config, line 2");
        Path binary = Files.write(directory.resolve("config"), new byte[] {(byte) 0x8B, (byte) 0xBD, 0x11, 0x03});
        assertThatThrownBy(() -> KubernetesClientFactory.open(binary, null, KubeconfigAdvice.OPTIONS_AND_CONFIGURATION))
                .isInstanceOf(ClusterStateException.class)
                .hasMessageStartingWith(
                        binary + ", line 1, column 1: the text is not UTF-8; correct it there, or name");
        assertThatThrownBy(
                        () -> KubernetesClientFactory.open(directory, null, KubeconfigAdvice.OPTIONS_AND_CONFIGURATION))
                .isInstanceOf(ClusterStateException.class)
                .hasMessageStartingWith(directory + " is a directory or a pipe; name another with --kubeconfig");
    }

    /** fabric8 gets past the first look, and fails at a value that is no list. */
    @Test
    void namesTheFileWhereAValueIsOfAnotherKind() throws Exception {
        refuses(TWO_CONTEXTS + "extensions: here\n", null, "no client can be made from ");
    }

    @Test
    void namesTheServerThatIsNoUrl() throws Exception {
        String near = "https://near.example:6443";
        refuses(
                TWO_CONTEXTS.replace(near, "::::"),
                null,
                "config: the server of the cluster 'near' is \"::::\", which is no URL; write it as https://HOST:PORT");
        refuses(TWO_CONTEXTS.replace(near, "https://"), null, "is \"https://\", which is no URL");
        refuses(TWO_CONTEXTS.replace(near, "ftp://near.example"), null, "which is no URL");
        refuses(TWO_CONTEXTS.replace("near.example", "my_near"), null, "whose host Java cannot read; name it by");
    }

    @Test
    void namesTheCredentialProgramThatCannotBeRun() throws Exception {
        Path data = Files.writeString(directory.resolve("data"), "");
        String missing = "the user 'u' gets its credentials from the program ";
        refuses(
                withProgram("nosuchprogram"),
                null,
                missing + "nosuchprogram, which is in no directory of PATH; install");
        refuses(withProgram("nosuchprogram, installHint: 'Ask\n\n  Ann.'"), null, "directory of PATH; Ask Ann.");
        refuses(withProgram("bin/none"), null, missing + "bin/none, which does not exist or may not be run");
        refuses(withProgram(data.toString()), null, missing + data + ", which does not exist or may not be run");
    }

    @Test
    void runsACredentialProgramBesideTheKubeconfigAndInThePathOfItsEntry() throws Exception {
        Path program = Files.writeString(directory.resolve("give"), """
                #!/bin/sh
                echo '{"apiVersion": "client.authentication.k8s.io/v1", "status": {"token": "abc"}}'
                """);
        assertThat(program.toFile().setExecutable(true)).isTrue();

        for (String command : List.of(
                "./give",
                "give, env: [{name: PATH, value: \"" + directory + ":/usr/bin:/bin\"}]",
                program.toString())) {
            Path kubeconfig = Files.writeString(directory.resolve("config"), withProgram(command));
            try (KubernetesClient client =
                    KubernetesClientFactory.open(kubeconfig, null, KubeconfigAdvice.OPTIONS_AND_CONFIGURATION)) {
                assertThat(client.getConfiguration().getAutoOAuthToken())
                        .as(command)
                        .isEqualTo("abc");
            }
        }
    }

    private static String withProgram(String command) {
        return TWO_CONTEXTS.replace(
                "token: t",
                "exec: {apiVersion: client.authentication.k8s.io/v1, interactiveMode: Never, command: " + command
                        + "}");
    }

    @Test
    void needsNoCredentialProgramWhereThereAreOtherCredentials() throws Exception {
        for (String credentials : List.of(
                "token: t", "tokenFile: t", "client-certificate: c", "username: me", "auth-provider: {name: p}")) {
            opens(withProgram("nosuchprogram").replace("{exec:", "{" + credentials + ", exec:"));
        }
    }

    @Test
    void findsACredentialProgramInThePathOfTheProcessToo() throws Exception {
        opens(withProgram("cat, args: [/dev/null], env: [{name: PATH, value: /nowhere}]"));
    }

    @Test
    void saysWhyACredentialProgramCannotBeStarted() throws Exception {
        refuses(withProgram("\"a\\0b\""), null, "no client can be made from");
    }

    @Test
    void resolvesAliases() throws Exception {
        String aliased = """
                apiVersion: v1
                kind: Config
                clusters: [{name: near, cluster: &c {server: "https://near.example"}}, {name: far, cluster: *c}]
                users: [{name: u, user: &u {token: t}}, {name: v, user: *u}]
                contexts: [{name: &n one, context: &x {cluster: far, user: v}}, {name: two, context: *x}]
                current-context: *n
                """;
        opens(aliased);
        refuses(aliased, "three", "has no context 'three'; it has one, two");
    }

    /** fabric8 reads the system property before the variable of the same name. */
    private void merged(String message) {
        System.setProperty("kubeconfig", directory.resolve("empty") + ":" + directory.resolve("config"));
        try {
            assertThatThrownBy(
                            () -> KubernetesClientFactory.open(null, null, KubeconfigAdvice.OPTIONS_AND_CONFIGURATION))
                    .hasMessage(message);
        } finally {
            System.clearProperty("kubeconfig");
        }
    }

    @Test
    void passesOverAnEmptyFileThatIsNotNamed() throws Exception {
        Files.createFile(directory.resolve("empty"));
        merged("there is no kubeconfig and this process is in no pod; set --kubeconfig, kubernetes.kubeconfig or"
                + " KUBECONFIG, or name a file with --cluster-snapshot");

        Path config = Files.writeString(directory.resolve("config"), TWO_CONTEXTS.replace("current-context: one", ""));
        merged(config
                + " holds no context in use; set current-context in it, or name one of its contexts with --context"
                + " or kubernetes.context");
    }

    @Test
    void takesTheNameThatAClusterHasInItsPods() throws Exception {
        opens(TWO_CONTEXTS.replace("https://near.example:6443", "https://kubernetes.default.svc.cluster.local"));
    }

    @Test
    void aServerOfTheEnvironmentStandsInForThatOfTheFile() throws Exception {
        String unusable = TWO_CONTEXTS.replace("https://near.example:6443", "::::");
        Path config = Files.writeString(directory.resolve("config"), unusable);
        System.setProperty("kubernetes.master", "https://other.example");
        System.setProperty("kubeconfig", config.toString());
        try (KubernetesClient client =
                KubernetesClientFactory.open(null, null, KubeconfigAdvice.OPTIONS_AND_CONFIGURATION)) {
            assertThat(client.getMasterUrl().getHost()).isEqualTo("other.example");
        } finally {
            System.clearProperty("kubernetes.master");
            System.clearProperty("kubeconfig");
        }
    }

    private void opens(String kubeconfig) throws Exception {
        Path file = Files.writeString(directory.resolve("config"), kubeconfig);
        try (KubernetesClient client =
                KubernetesClientFactory.open(file, null, KubeconfigAdvice.OPTIONS_AND_CONFIGURATION)) {
            assertThat(client.getMasterUrl()).isNotNull();
        }
    }

    /** The keys of this authority are EC keys in PKCS#8; openssl and k3s write SEC1. */
    @Test
    void takesAnEcKeyInPkcs8InTheKubeconfigAndInAFile() throws Exception {
        CertificateAuthority authority = CertificateAuthority.create(Instant.now(), Duration.ofDays(1));
        CertifiedKey client = authority.issue(
                new ServerCertificateNames(List.of("admin"), List.of()), Instant.now(), Duration.ofDays(1));
        Path key = Files.writeString(directory.resolve("client.key"), client.keyPem());
        String certificate = "client-certificate-data: " + base64(client.certificatePem());

        for (String how : List.of("client-key-data: " + base64(client.keyPem()), "client-key: " + key)) {
            Path kubeconfig = Files.writeString(
                    directory.resolve("config"), TWO_CONTEXTS.replace("token: t", certificate + ", " + how));
            try (KubernetesClient opened =
                    KubernetesClientFactory.open(kubeconfig, null, KubeconfigAdvice.OPTIONS_AND_CONFIGURATION)) {
                assertThat(opened.getConfiguration().getClientKeyAlgo()).isEqualTo("EC");
            }
        }
    }

    /** fabric8 would read the kubeconfig again before each request. */
    @Test
    void looksForNoTokenWhereThereIsACertificate() throws Exception {
        CertificateAuthority authority = CertificateAuthority.create(Instant.now(), Duration.ofDays(1));
        CertifiedKey client = authority.issue(
                new ServerCertificateNames(List.of("admin"), List.of()), Instant.now(), Duration.ofDays(1));
        String certificate = "client-certificate-data: " + base64(client.certificatePem()) + ", client-key-data: "
                + base64(client.keyPem());

        assertThat(hasTokenProvider(certificate)).isTrue();
        assertThat(hasTokenProvider("token: t")).isFalse();
        assertThat(hasTokenProvider(certificate + ", token: t")).isFalse();
    }

    private boolean hasTokenProvider(String credentials) throws Exception {
        Path kubeconfig = Files.writeString(directory.resolve("config"), TWO_CONTEXTS.replace("token: t", credentials));
        try (KubernetesClient opened =
                KubernetesClientFactory.open(kubeconfig, null, KubeconfigAdvice.OPTIONS_AND_CONFIGURATION)) {
            return opened.getConfiguration().getOauthTokenProvider() != null;
        }
    }

    @Test
    void refusesAKeyThatCannotBeRead() throws Exception {
        CertificateAuthority authority = CertificateAuthority.create(Instant.now(), Duration.ofDays(1));
        String certificate = "client-certificate-data: " + base64(authority.certificatePem());
        String garbage = "-----BEGIN PRIVATE KEY-----\nMAMCAQA=\n-----END PRIVATE KEY-----\n";

        refuses(
                TWO_CONTEXTS.replace("token: t", certificate + ", client-key: " + directory.resolve("no.key")),
                null,
                "does not exist");
        refuses(
                TWO_CONTEXTS.replace("token: t", certificate + ", client-key-data: " + base64(garbage)),
                null,
                "cannot be used");
    }

    private static String base64(String pem) {
        return Base64.getEncoder().encodeToString(pem.getBytes(UTF_8));
    }
}
