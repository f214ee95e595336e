package dev.sluice.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.tls.CertificateAuthority;
import dev.sluice.tls.Certificates;
import dev.sluice.tls.CertifiedKey;
import dev.sluice.tls.TlsCertificateReader.TlsFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CheckCommandTest {

    @TempDir
    private Path directory;

    private Path config(String text) throws IOException {
        return Files.writeString(directory.resolve("gateway.yaml"), text);
    }

    @Test
    void printsAllProblemsAtOnce() throws IOException {
        Path file = config("webhook: {port: 0, hots: a}\npolicy: {whenNotOffered: perhaps}\n");

        Cli checked = Cli.run("check", "--config", file);

        assertThat(checked.code()).isEqualTo(1);
        assertThat(checked.out())
                .contains("problem  " + file + ":1: webhook.port is 0")
                .contains("webhook.hots")
                .contains("policy.whenNotOffered")
                .endsWith(file + ": cannot be used, 3 problems, 2 warnings\n");
    }

    @Test
    void checksADirectoryAsAWhole() throws IOException {
        Path file = config("tls: {mode: self-managed}\npolicy: {mode: allocatable}\n");
        Path other = Files.writeString(directory.resolve("availability.yaml"), "policy:\n  mode: availability\n");

        Cli refused = Cli.run("check", "--config", directory);
        assertThat(refused.code()).isEqualTo(1);
        assertThat(refused.out())
                .isEqualTo("problem  " + file + ":2: policy.mode is \"allocatable\" here and \"availability\" in "
                        + other + ":2, keep one of the two\n" + directory + ": cannot be used, 1 problem\n");

        Files.writeString(file, "tls: {mode: self-managed}\n");
        Cli checked = Cli.run("check", "--config", directory);
        assertThat(checked.code()).isZero();
        assertThat(checked.out()).isEqualTo(directory + ": can be used\n");
    }

    @Test
    void warnsOfAManagementPortThatEverybodyMayRead() throws IOException {
        Path file = config("""
                tls: {mode: self-managed, selfManaged: {names: [a.example.com]}}
                management:
                  host: 192.0.2.7
                  access: open
                """);

        Cli checked = Cli.run("check", "--config", file);

        assertThat(checked.code()).isZero();
        assertThat(checked.out())
                .isEqualTo("warning  " + file
                        + ":4: management.access is open while management.host is 192.0.2.7 (everybody"
                        + " who can reach the port may read metrics, capacity and decisions), set it to"
                        + " kubernetes, or management.host to 127.0.0.1\n"
                        + file + ": can be used, 1 warning\n");
    }

    @Test
    void missingCertificatesAreOnlyWarnings() throws IOException {
        Path there = Certificates.files(directory, Certificates.leaf(Certificates.authority()))
                .key();
        Files.delete(directory.resolve("tls.crt"));
        Path file = config("tls:\n  certificate: " + directory + "/tls.crt\n  key: " + there + "\n");

        Cli checked = Cli.run("check", "--config", file);

        assertThat(checked.code()).isZero();
        assertThat(checked.out())
                .isEqualTo("warning  " + file + ":2: tls.certificate is " + directory
                        + "/tls.crt, which cannot be read on this machine, expected a file where the gateway runs\n"
                        + file + ": can be used, 1 warning\n");
    }

    @Test
    void refusesACertificateThatServeWouldRefuse() throws IOException {
        TlsFiles good = Certificates.files(directory, Certificates.leaf(Certificates.authority()));
        Path other = Files.createDirectory(directory.resolve("other"));
        Path key = Certificates.files(other, Certificates.leaf(Certificates.authority()))
                .key();
        Path file = config("tls:\n  certificate: " + good.certificate() + "\n  key: " + key + "\n");

        Cli checked = Cli.run("check", "--config", file);

        assertThat(checked.out())
                .startsWith("problem  " + file)
                .contains("tls: ", key.toString())
                .endsWith(file + ": cannot be used, 1 problem\n");
        assertThat(checked.code()).isEqualTo(1);
    }

    @Test
    void tellsOfABrokenKeyBesideTheOtherProblems() throws IOException {
        TlsFiles files = Certificates.files(directory, Certificates.leaf(Certificates.authority()));
        Files.writeString(files.key(), "no key\n");
        Path file = config(
                "webhook: {port: 0}\ntls:\n  certificate: " + files.certificate() + "\n  key: " + files.key() + "\n");

        Cli checked = Cli.run("check", "--config", file);

        assertThat(checked.out())
                .contains("problem  " + file + ":1: webhook.port is 0")
                .contains("problem  " + file + ":4: tls.key: " + files.key() + " holds no private key")
                .endsWith(file + ": cannot be used, 2 problems\n");
    }

    @Test
    void judgesThePairAlsoWhereTheAuthoritiesOfClientsAreAbsent() throws IOException {
        TlsFiles good = Certificates.files(directory, Certificates.leaf(Certificates.authority()));
        Path other = Files.createDirectory(directory.resolve("other"));
        Path key = Certificates.files(other, Certificates.leaf(Certificates.authority()))
                .key();
        Path file = config("tls: {certificate: " + good.certificate() + ", key: " + key
                + ", clientCa: nope.pem, clientNames: [a]}\n");

        Cli checked = Cli.run("check", "--config", file);

        assertThat(checked.out())
                .contains("problem  " + file + ":1: tls: " + key + " does not belong to " + good.certificate())
                .contains("warning  " + file + ":1: tls.clientCa is nope.pem, which cannot be read on this machine")
                .endsWith(file + ": cannot be used, 1 problem, 1 warning\n");
        assertThat(checked.code()).isEqualTo(1);
    }

    @Test
    void judgesEachFileThatIsThere() throws IOException {
        Path text = Files.writeString(directory.resolve("text"), "no PEM\n");
        Path both = config("tls: {certificate: " + text + ", key: " + text + ", clientCa: nope.pem, clientNames: [a]}");
        Cli checked = Cli.run("check", "--config", both);
        Path keyAlone = config("tls: {certificate: nope.crt, key: " + text + "}");
        Cli checkedKey = Cli.run("check", "--config", keyAlone);

        assertThat(checked.out())
                .contains("tls.certificate: " + text + " holds no certificate")
                .contains("tls.key: " + text + " holds no private key")
                .endsWith("cannot be used, 2 problems, 1 warning\n");
        assertThat(checkedKey.out())
                .contains("tls.key: " + text + " holds no private key")
                .contains("tls.certificate is nope.crt, which cannot be read on this machine")
                .endsWith("cannot be used, 1 problem, 1 warning\n");
        assertThat(checkedKey.code()).isEqualTo(1);
    }

    @Test
    void judgesTheAuthoritiesOfClientsOfAGatewayThatMakesItsOwnCertificates() throws IOException {
        Path text = Files.writeString(directory.resolve("text"), "no PEM\n");
        Path file = config("tls: {mode: self-managed, clientCa: " + text + ", clientNames: [a]}\n");

        Cli checked = Cli.run("check", "--config", file);

        assertThat(checked.out())
                .contains("problem  " + file + ":1: tls.clientCa: " + text + " holds no certificate")
                .endsWith("cannot be used, 1 problem\n");
    }

    @Test
    void saysThatAvailabilityModeRunsAsOneReplicaWithoutTheFilesOfReplicas() throws IOException {
        TlsFiles webhook = Certificates.files(directory, Certificates.leaf(Certificates.authority()));
        String tls = "tls: {certificate: " + webhook.certificate() + ", key: " + webhook.key() + "}\n";
        Path file = config(tls + "policy: {namespaces: {research: {mode: availability}}}\n");

        Cli checked = Cli.run("check", "--config", file);

        assertThat(checked.code()).isZero();
        assertThat(checked.out())
                .isEqualTo("warning  " + file + ": peers has no files, so availability mode runs as one replica: others"
                        + " would only wait to take over (missing: peers.certificate, peers.key, peers.authority), make"
                        + " them with 'sluice certs make --peers --dir DIR', or set tls.mode: self-managed\n" + file
                        + ": can be used, 1 warning\n");
        assertThat(Cli.run("check", "--config", config(tls)).out()).endsWith("gateway.yaml: can be used\n");
        assertThat(Cli.run("check", "--config", config("tls: {mode: self-managed}\npolicy: {mode: availability}\n"))
                        .out())
                .endsWith("gateway.yaml: can be used\n");
    }

    @Test
    void judgesTheFilesOfReplicas() throws IOException {
        TlsFiles webhook = Certificates.files(directory, Certificates.leaf(Certificates.authority()));
        Path file = config("tls: {certificate: " + webhook.certificate() + ", key: " + webhook.key() + "}\n"
                + "peers:\n  certificate: " + webhook.certificate() + "\n  key: nope.key\n  authority: nope.crt\n");

        Cli checked = Cli.run("check", "--config", file);

        assertThat(checked.code()).isEqualTo(1);
        assertThat(checked.out())
                .contains("problem  " + file + ":3: peers.certificate: " + webhook.certificate()
                        + " does not have the DNS name gpu-webhook-peers")
                .contains("problem  " + file + ":3: peers.certificate: " + webhook.certificate()
                        + " is not for servers and for clients")
                .contains("warning  " + file + ":4: peers.key is nope.key, which cannot be read on this machine")
                .contains("warning  " + file + ":5: peers.authority is nope.crt, which cannot be read")
                .endsWith("cannot be used, 2 problems, 2 warnings\n");
    }

    @Test
    void warnsOfAnAuthorityOfReplicasThatSignsTheWebhooksCertificateToo() throws IOException {
        CertificateAuthority authority = Certificates.authority();
        TlsFiles webhook = Certificates.files(directory, Certificates.leaf(authority));
        String shared = peers(webhook, authority);

        assertThat(Cli.run("check", "--config", config(shared)))
                .satisfies(checked -> assertThat(checked.code()).isZero())
                .satisfies(checked -> assertThat(checked.out())
                        .startsWith("warning  ")
                        .contains("gateway.yaml:5: peers.authority: " + directory.resolve("peers-ca.crt")
                                + " holds an authority of the webhook or of its callers, too")
                        .endsWith("'sluice certs make --peers --dir DIR'\n" + directory.resolve("gateway.yaml")
                                + ": can be used, 1 warning\n"));
        assertThat(Cli.run("check", "--config", config(peers(webhook, Certificates.authority())))
                        .out())
                .endsWith("gateway.yaml: can be used\n");
    }

    private String peers(TlsFiles webhook, CertificateAuthority authority) throws IOException {
        CertifiedKey pair = authority.issueForPeers(Certificates.NOW, Duration.ofDays(5));
        return "tls: {certificate: " + webhook.certificate() + ", key: " + webhook.key() + "}\npeers:\n  certificate: "
                + Files.writeString(directory.resolve("peers-tls.crt"), pair.certificatePem()) + "\n  key: "
                + Files.writeString(directory.resolve("peers-tls.key"), pair.keyPem()) + "\n  authority: "
                + Files.writeString(directory.resolve("peers-ca.crt"), authority.certificatePem()) + "\n";
    }

    /** One run names all there is to mend, whichever part of the configuration is wrong. */
    @ParameterizedTest
    @ValueSource(strings = {"policy: {mode: nope}", "what: 1", "injection: {file: gateway.yaml}"})
    void tellsOfTheFilesBesideOtherProblems(String wrong) throws IOException {
        Path kubeconfig = Files.writeString(directory.resolve("kubeconfig"), "a: [1\nb: }");
        Path file = config("kubernetes: {kubeconfig: " + kubeconfig + "}\ntls: {key: nope.key}\n"
                + wrong.replace("gateway.yaml", kubeconfig.toString()) + "\n");

        Cli checked = Cli.run("check", "--config", file);

        assertThat(checked.out())
                .contains("problem  " + file + ":1: kubernetes.kubeconfig: " + kubeconfig + ", line 2, column 2")
                .contains("warning  " + file + ":2: tls.key is nope.key, which cannot be read on this machine")
                .contains("warning  " + file + ": tls.certificate is /etc/webhook/certs/tls.crt")
                .endsWith("cannot be used, 2 problems, 2 warnings\n");
    }

    @Test
    void saysNothingOfFilesWhoseKeysCannotBeRead() throws IOException {
        Path misspelt = config("tls: {certifcate: nope.crt, key: nope.key, clientCa: 5, clientNames: [a]}\n");
        Cli section = Cli.run("check", "--config", misspelt);
        Path broken = config("tls: {\n");
        Cli nothing = Cli.run("check", "--config", broken);

        assertThat(section.out())
                .contains("tls.key is nope.key")
                .doesNotContain("tls.certificate is")
                .endsWith("cannot be used, 2 problems, 1 warning\n");
        assertThat(nothing.out()).endsWith("cannot be used, 1 problem\n");
    }

    @Test
    void refusesAKubeconfigThatServeWouldRefuse() throws IOException {
        Path kubeconfig = directory.resolve("kubeconfig");
        Path file = config("webhook: {}\nkubernetes:\n  kubeconfig: " + kubeconfig + "\n");

        Cli missing = Cli.run("check", "--config", file);
        Files.writeString(kubeconfig, "a: [1\nb: }");
        Cli broken = Cli.run("check", "--config", file);

        assertThat(missing.out())
                .contains("warning  " + file + ":3: kubernetes.kubeconfig: " + kubeconfig
                        + " does not exist; name another with kubernetes.kubeconfig or KUBECONFIG\n")
                .contains(file + ": can be used, ")
                .doesNotContain("problem");
        assertThat(missing.code()).isZero();
        assertThat(broken.out())
                .contains("problem  " + file + ":3: kubernetes.kubeconfig: " + kubeconfig + ", line 2, column 2");
        assertThat(broken.code()).isEqualTo(1);
    }

    @Test
    void warnsOfACredentialProgramThatIsMissingHere() throws IOException {
        Path kubeconfig = Files.writeString(directory.resolve("kubeconfig"), """
                clusters: [{name: c, cluster: {server: "https://near.example"}}]
                contexts: [{name: x, context: {cluster: c, user: u}}]
                users: [{name: u, user: {exec: {command: nosuchprogram}}}]
                current-context: x
                """);
        Path file = config("webhook: {}\nkubernetes:\n  kubeconfig: " + kubeconfig + "\n");

        Cli checked = Cli.run("check", "--config", file);

        assertThat(checked.out()).contains("warning  " + file + ":3: kubernetes.kubeconfig: ", "nosuchprogram, which");
        assertThat(checked.code()).isZero();
    }

    @Test
    void aMissingInjectionFileIsNamedWithTheKeyThatNamesIt() throws IOException {
        Path file = config("webhook: {}\ninjection:\n  file: no/such.json\n");

        Cli checked = Cli.run("check", "--config", file);

        assertThat(checked.out())
                .contains("problem  " + file + ":3: injection.file is no/such.json, which does not exist, create it");
        assertThat(checked.code()).isEqualTo(1);
    }

    @Test
    void aFileWithoutTheOptionIsToldTheOption() {
        Cli checked = Cli.run("check", "gateway.yaml");

        assertThat(checked.code()).isEqualTo(2);
        assertThat(checked.err())
                .isEqualTo("sluice check takes no argument; write: sluice check --config gateway.yaml\n");
    }

    @Test
    void certificatesThatTheGatewayMakesItselfNeedNoFiles() throws IOException {
        Path file = config("tls: {mode: self-managed, selfManaged: {names: [gateway.example.com, 192.0.2.7]}}\n");

        Cli checked = Cli.run("check", "--config", file);

        assertThat(checked.out()).isEqualTo(file + ": can be used\n");
        assertThat(checked.code()).isZero();
    }

    @Test
    void saysWhatIsWrongWithCertificatesThatTheGatewayMakesItself() throws IOException {
        Path file = config("""
            tls:
              mode: self-managed
              selfManaged:
                names: [Not_A_Name]
                certificateSeconds: 3600
                authoritySeconds: 7199
                days: 90
            """);

        Cli checked = Cli.run("check", "--config", file);

        assertThat(checked.out())
                .contains(
                        file + ":4: tls.selfManaged.names cannot be borne by a certificate: 'Not_A_Name' is not a DNS")
                .contains(file + ":6: tls.selfManaged.authoritySeconds leaves the authority 7199 s for certificates of"
                        + " 3600 s, let the authority last at least twice as long")
                .contains(file + ":7: tls.selfManaged.days is not a known key")
                .contains("cannot be used, 3 problems");
        assertThat(checked.code()).isEqualTo(1);
    }

    @Test
    void coversTheInjectionFile() throws IOException {
        Path rules = Files.writeString(
                directory.resolve("rules.json"), "{\"resourceMap\": {\"V100\": {\"gpu\": {}}}, \"white\": []}");
        Path file = config("injection: {file: " + rules + "}\n");

        Cli checked = Cli.run("check", "--config", file);

        assertThat(checked.out())
                .contains(rules + ":1: resourceMap.V100.gpu is not a qualified resource name")
                .contains(rules + ":1: white is not a known key")
                .contains("cannot be used, 2 problems");
        assertThat(checked.code()).isEqualTo(1);
    }

    @Test
    void theFileThatShipsCanBeUsed() {
        Cli checked = Cli.run("check", "--config", "conf/gateway.yaml");

        assertThat(checked.code()).isZero();
        assertThat(checked.out()).contains("conf/gateway.yaml: can be used").doesNotContain("problem  ");
    }

    @Test
    void aFileThatIsNotThereIsUnreadableInput() {
        Cli checked = Cli.run("check", "--config", directory.resolve("gone.yaml"));

        assertThat(checked.code()).isEqualTo(2);
        assertThat(checked.err()).hasLineCount(1).contains("gone.yaml is not a file");
    }
}
