package dev.sluice.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.tls.CertificateAuthority;
import dev.sluice.tls.CertifiedKey;
import dev.sluice.tls.PemFile;
import dev.sluice.tls.ServerCertificateNames;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

class CertsCommandTest {

    private static final ServerCertificateNames NAMES = new ServerCertificateNames(List.of("localhost"), List.of());

    @TempDir
    private Path directory;

    private Path certs;

    /** What one run gave. */
    private record Outcome(int code, String out, String err) {}

    @BeforeEach
    void chooseADirectoryThatIsNotThereYet() {
        certs = directory.resolve("new/certs");
    }

    @Test
    void makesAnAuthorityAndAPairForTheService() throws Exception {
        Outcome outcome = run("make", "--dir", certs.toString());

        assertThat(outcome.err()).isEmpty();
        assertThat(outcome.code()).isZero();
        assertThat(outcome.out())
                .contains("made        " + certs + "/ca.crt, " + certs + "/ca.key")
                .contains("subject   CN=gpu-webhook.gpu-webhook.svc")
                .contains("gpu-webhook.gpu-webhook.svc, gpu-webhook.gpu-webhook.svc.cluster.local,"
                        + " gpu-webhook.gpu-webhook, localhost, 127.0.0.1")
                .contains("(365 days left)", "(3650 days left)")
                .contains("kubectl -n gpu-webhook create secret tls gpu-webhook-certs --cert=" + certs + "/tls.crt")
                .contains("base64 < " + certs + "/ca.crt | tr -d '\\n'")
                .contains("  tls:\n    certificate: " + certs + "/tls.crt\n    key: " + certs + "/tls.key\n");
        leaf().verify(PemFile.read(certs.resolve("ca.crt"))
                .certificates()
                .getFirst()
                .getPublicKey());
    }

    @Test
    void keepsKeysToTheirOwnerAndLeavesNothingElse() throws Exception {
        assertThat(run("make", "--dir", certs.toString()).code()).isZero();

        try (Stream<Path> files = Files.list(certs)) {
            assertThat(files.map(file -> mode(file) + " " + file.getFileName()))
                    .containsExactlyInAnyOrder(
                            "rw-r--r-- ca.crt", "rw------- ca.key", "rw-r--r-- tls.crt", "rw------- tls.key");
        }
    }

    @Test
    void makesWhatReplicasShowEachOtherByAnAuthorityOfItsOwn() throws Exception {
        assertThat(run("make", "--dir", certs.toString()).code()).isZero();
        Outcome outcome = run("make", "--peers", "--dir", certs.toString());

        assertThat(outcome.code()).isZero();
        assertThat(outcome.out())
                .contains("made        " + certs + "/peers-ca.crt, " + certs + "/peers-ca.key")
                .contains("names     gpu-webhook-peers\n")
                .contains("  peers:\n    certificate: " + certs + "/peers-tls.crt\n    key: " + certs
                        + "/peers-tls.key\n    authority: " + certs + "/peers-ca.crt\n");
        Path config = Files.writeString(
                directory.resolve("gateway.yaml"),
                "policy: {mode: availability}\ntls: {certificate: " + certs + "/tls.crt, key: " + certs + "/tls.key}\n"
                        + outcome.out()
                                .substring(outcome.out().indexOf("  peers:"))
                                .replaceAll("(?m)^  ", ""));
        assertThat(Cli.run("check", "--config", config).out()).isEqualTo(config + ": can be used\n");
    }

    /** The authority stays, so that replicas with the new pair and with the old one trust each other. */
    @Test
    void renewsThePairOfReplicasByTheSameAuthority() throws Exception {
        assertThat(run("make", "--peers", "--dir", certs.toString()).code()).isZero();
        String authority = Files.readString(certs.resolve("peers-ca.crt"));
        String pair = Files.readString(certs.resolve("peers-tls.crt"));

        assertThat(run("make", "--peers", "--dir", certs.toString(), "--force").code())
                .isZero();

        assertThat(certs.resolve("peers-ca.crt")).hasContent(authority);
        assertThat(Files.readString(certs.resolve("peers-tls.crt"))).isNotEqualTo(pair);
    }

    @ParameterizedTest
    @ValueSource(strings = {"--client", "--name=a.example", "--ip=10.0.0.7"})
    void replicasHaveOneName(String other) {
        Outcome outcome = run("make", "--peers", other, "--dir", certs.toString());

        assertThat(outcome.code()).isEqualTo(2);
        assertThat(outcome.err()).contains("--peers stands without");
    }

    @Test
    void givenNamesReplaceTheUsualOnes() throws Exception {
        Outcome outcome = run("make", "--dir", certs.toString(), "--name", "a.example", "--ip", "10.0.0.7");

        assertThat(outcome.code()).isZero();
        assertThat(leaf().getSubjectAlternativeNames())
                .containsExactly(List.of(2, "a.example"), List.of(7, "10.0.0.7"));
    }

    @Test
    void lastsAsManyDaysAsAsked() {
        assertThat(run("make", "--dir", certs.toString(), "--days", "30").out()).contains("(30 days left)");
    }

    @Test
    void overwritesNothingAndNamesWhatIsThere() throws Exception {
        assertThat(run("make", "--dir", certs.toString()).code()).isZero();
        String before = Files.readString(certs.resolve("tls.crt"));

        Outcome outcome = run("make", "--dir", certs.toString());

        assertThat(outcome)
                .isEqualTo(new Outcome(
                        2,
                        "",
                        certs + "/tls.crt and " + certs
                                + "/tls.key exist already; add --force to replace, or choose another --dir\n"));
        assertThat(certs.resolve("tls.crt")).hasContent(before);
    }

    @Test
    void aLoneKeyIsNotOverwrittenEither() throws Exception {
        Files.createDirectories(certs);
        Files.writeString(certs.resolve("tls.key"), "precious");

        assertThat(run("make", "--dir", certs.toString()).err()).startsWith(certs + "/tls.key exists already");
        assertThat(certs.resolve("tls.key")).hasContent("precious");
    }

    @Test
    void byForceMakesANewPairByTheSameAuthority() throws Exception {
        assertThat(run("make", "--dir", certs.toString()).code()).isZero();
        String authority = Files.readString(certs.resolve("ca.crt"));
        X509Certificate before = leaf();

        Outcome outcome = run("make", "--dir", certs.toString(), "--force");

        assertThat(outcome.code()).isZero();
        assertThat(outcome.out()).contains("used again  " + certs + "/ca.crt");
        assertThat(certs.resolve("ca.crt")).hasContent(authority);
        assertThat(leaf()).isNotEqualTo(before);
    }

    /** Whatever the mode of what was there, and whoever else put it there. */
    @Test
    void byForceKeepsTheNewKeyToItsOwnerToo() throws Exception {
        assertThat(run("make", "--dir", certs.toString()).code()).isZero();
        Files.setPosixFilePermissions(certs.resolve("tls.key"), PosixFilePermissions.fromString("rw-rw-rw-"));

        assertThat(run("make", "--dir", certs.toString(), "--force").code()).isZero();

        assertThat(mode(certs.resolve("tls.key"))).isEqualTo("rw-------");
    }

    /** Half of a pair would be served by nobody. */
    @Test
    void replacesAllFilesOrNone() throws Exception {
        assertThat(run("make", "--dir", certs.toString()).code()).isZero();
        String key = Files.readString(certs.resolve("tls.key"));
        Files.delete(certs.resolve("tls.crt"));
        Files.createDirectories(certs.resolve("tls.crt"));

        Outcome outcome = run("make", "--dir", certs.toString(), "--force");

        assertThat(outcome.code()).isEqualTo(2);
        assertThat(outcome.err()).startsWith("cannot write to " + certs);
        assertThat(certs.resolve("tls.key")).hasContent(key);
        assertThat(mode(certs.resolve("tls.key"))).isEqualTo("rw-------");
        try (Stream<Path> files = Files.list(certs)) {
            assertThat(files.map(file -> file.getFileName().toString()))
                    .containsExactlyInAnyOrder("ca.crt", "ca.key", "tls.crt", "tls.key");
        }
    }

    @Test
    void makesNothingWhereTheFirstPairCannotBeWrittenWhole() throws Exception {
        Files.createDirectories(certs.resolve("tls.crt"));

        assertThat(run("make", "--dir", certs.toString(), "--force").code()).isEqualTo(2);

        try (Stream<Path> files = Files.list(certs)) {
            assertThat(files.map(file -> file.getFileName().toString())).containsExactly("tls.crt");
        }
    }

    @Test
    void makesACertificateForTheApiServerToo() throws Exception {
        Outcome outcome = run("make", "--client", "--dir", certs.toString());

        assertThat(outcome.code()).isZero();
        assertThat(leaf().getExtendedKeyUsage()).containsExactly("1.3.6.1.5.5.7.3.2");
        assertThat(leaf().getSubjectAlternativeNames()).containsExactly(List.of(2, "gpu-webhook-caller"));
        assertThat(outcome.out())
                .contains("create configmap gpu-webhook-client-ca --from-file=ca.crt=" + certs + "/ca.crt")
                .contains("    - name: gpu-webhook.gpu-webhook.svc\n")
                .contains("        client-certificate: " + certs + "/tls.crt\n")
                .doesNotContain("gpu-webhook-certs");
    }

    @Test
    void refusesAnAuthorityWithoutItsKey() throws Exception {
        assertThat(run("make", "--dir", certs.toString()).code()).isZero();
        Files.delete(certs.resolve("ca.key"));
        Files.delete(certs.resolve("tls.crt"));
        Files.delete(certs.resolve("tls.key"));

        Outcome refused = run("make", "--dir", certs.toString());
        assertThat(refused.code()).isEqualTo(2);
        assertThat(refused.err()).contains(certs + "/ca.key does not exist").contains("add --force");
        assertThat(certs.resolve("tls.crt")).doesNotExist();

        Outcome forced = run("make", "--dir", certs.toString(), "--force");
        assertThat(forced.code()).isZero();
        assertThat(forced.err()).startsWith("replacing the authority: " + certs + "/ca.key does not exist");
    }

    @Test
    void refusesAnAuthorityThatHasExpired() throws Exception {
        Instant longAgo = Instant.now().minus(Duration.ofDays(9));
        write("ca", CertificateAuthority.create(longAgo, Duration.ofDays(1)).identity());

        assertThat(run("make", "--dir", directory.toString()).err())
                .startsWith(directory + "/ca.crt expired on ")
                .doesNotContain("\tat ");
    }

    @Test
    void refusesAnAuthorityThatMaySignNothing() throws Exception {
        write("ca", authority().issue(NAMES, Instant.now(), Duration.ofDays(1)));

        assertThat(run("make", "--dir", directory.toString()).err())
                .startsWith(directory + "/ca.crt may not sign certificates");
    }

    @ParameterizedTest
    @CsvSource({
        "--name, Not_A_Name, is not a DNS name",
        "--name, 10.0.0.7, give it with --ip",
        "--ip, localhost, is not an IP address",
        "--days, 0, '--days is 0, expected 1..3650'",
        "--days, 3651, '--days is 3651, expected 1..3650'",
        "--days, soon, 'Invalid value for option'"
    })
    void refusesAWrongValue(String option, String value, String message) {
        Outcome outcome = run("make", "--dir", certs.toString(), option, value);

        assertThat(outcome.code()).isEqualTo(2);
        assertThat(outcome.err()).contains(message);
        assertThat(certs).doesNotExist();
    }

    @Test
    void saysWhereItCannotWrite() throws Exception {
        Path file = Files.writeString(directory.resolve("file"), "");

        Outcome outcome = run("make", "--dir", file.resolve("certs").toString());

        assertThat(outcome.code()).isEqualTo(2);
        assertThat(outcome.err())
                .startsWith("cannot write to " + file + "/certs (Not a directory); choose a directory")
                .hasLineCount(1);
        assertThat(run("make", "--dir", file.toString()).err())
                .isEqualTo(
                        "cannot write to " + file + " (it is a file); choose a directory that this user may write\n");
        assertThat(run("make", "--dir", "/proc/none").err())
                .isEqualTo("cannot write to /proc/none; choose a directory that this user may write\n");
    }

    @Test
    void showsWhatIsInAFileAndThatTheKeyBesideBelongs() {
        assertThat(run("make", "--dir", certs.toString()).code()).isZero();

        Outcome outcome = run("show", certs + "/tls.crt", certs + "/ca.crt");

        assertThat(outcome.code()).isZero();
        assertThat(outcome.out())
                .contains("  subject     CN=gpu-webhook.gpu-webhook.svc\n")
                .contains("  issuer      CN=Sluice webhook CA\n", "  issuer      CN=Sluice webhook CA (itself)\n")
                .contains("  key         EC, 256 bits\n")
                .contains("  authority   no\n", "  authority   yes, it may sign others\n")
                .containsPattern("\\(36[45] days left\\)")
                .contains("  key file    " + certs + "/tls.key belongs to it");
    }

    @Test
    void answersNoForAnExpiredCertificate() throws Exception {
        Instant longAgo = Instant.now().minus(Duration.ofDays(9));
        write("old", CertificateAuthority.create(longAgo, Duration.ofDays(1)).identity());

        Outcome outcome = run("show", directory + "/old.crt");

        assertThat(outcome.code()).isEqualTo(1);
        assertThat(outcome.out()).contains("(EXPIRED 8 days ago)");
    }

    @Test
    void answersNoWhereTheKeyBesideBelongsToAnother() throws Exception {
        write("tls", authority().issue(NAMES, Instant.now(), Duration.ofDays(1)));
        Files.writeString(directory.resolve("tls.key"), authority().identity().keyPem());

        Outcome outcome = run("show", directory + "/tls.crt");

        assertThat(outcome.code()).isEqualTo(1);
        assertThat(outcome.err()).startsWith(directory + "/tls.key does not belong to " + directory + "/tls.crt");
    }

    @Test
    void showsTheOthersWhenOneFileCannotBeRead() throws Exception {
        write("tls", authority().issue(NAMES, Instant.now(), Duration.ofDays(1)));

        Outcome outcome = run("show", directory + "/absent.crt", directory + "/tls.crt");

        assertThat(outcome.code()).isEqualTo(2);
        assertThat(outcome.err()).startsWith(directory + "/absent.crt does not exist");
        assertThat(outcome.out()).contains("subject     CN=localhost");
    }

    @Test
    void advisesToMakeOnlyFilesThatMakeWouldMake() {
        assertThat(run("show", "/nope").err()).isEqualTo("/nope does not exist; correct the path\n");
        assertThat(run("show", directory + "/ca.crt").err())
                .endsWith("or make the file with 'sluice certs make --dir " + directory + "'\n");
    }

    @ParameterizedTest
    @ValueSource(strings = {"make", "show"})
    void helpTeachesByExample(String command) {
        Outcome outcome = run(command, "--help");

        assertThat(outcome.code()).isZero();
        assertThat(outcome.out()).contains("Examples:", "sluice certs " + command, "Exit codes: 0");
    }

    private static CertificateAuthority authority() {
        return CertificateAuthority.create(Instant.now(), Duration.ofDays(1));
    }

    private X509Certificate leaf() throws Exception {
        return PemFile.read(certs.resolve("tls.crt")).certificates().getFirst();
    }

    private void write(String name, CertifiedKey pair) throws Exception {
        Files.writeString(directory.resolve(name + ".crt"), pair.certificatePem());
        Files.writeString(directory.resolve(name + ".key"), pair.keyPem());
    }

    private static String mode(Path file) {
        try {
            return PosixFilePermissions.toString(Files.getPosixFilePermissions(file));
        } catch (IOException e) {
            return e.toString();
        }
    }

    private static Outcome run(String... arguments) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        int code = new CommandLine(new CertsCommand())
                .setOut(new PrintWriter(out))
                .setErr(new PrintWriter(err))
                .execute(arguments);
        return new Outcome(code, out.toString(), err.toString());
    }
}
