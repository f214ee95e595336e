package dev.sluice.tls;

import static dev.sluice.tls.Certificates.NOW;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.list;
import static org.assertj.core.api.InstanceOfAssertFactories.type;

import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.assertj.core.api.ListAssert;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TlsCertificateReaderTest {

    @TempDir
    private Path directory;

    private final CertificateAuthority authority = Certificates.authority();
    private final CertifiedKey pair = Certificates.leaf(authority);

    @Test
    void readsAPairWithoutAWordOfWarning() throws Exception {
        TlsCertificateReader.TlsReading reading = read(Certificates.files(directory, pair));

        assertThat(reading)
                .isEqualTo(new TlsCertificateReader.TlsReading.Usable(ServerTls.open(pair, TlsEngine.JDK), List.of()));
    }

    @Test
    void readsWhatReplicasShowEachOther() throws Exception {
        CertifiedKey peer = authority.issueForPeers(NOW, Duration.ofDays(5));

        assertThat(read(peers(peer, authority)))
                .isEqualTo(new TlsCertificateReader.TlsReading.Usable(
                        new ServerTls(peer, List.of(authority.identity().certificate()), TlsEngine.JDK), List.of()));
    }

    @Test
    void refusesWhatOtherReplicasWouldRefuse() throws Exception {
        CertifiedKey peer = authority.issueForPeers(NOW, Duration.ofDays(5));
        Path file = directory.resolve("peers-tls.crt");

        assertThatProblemsOf(peers(peer, Certificates.authority()))
                .containsExactly("peers.certificate: " + file + " is signed by no certificate in "
                        + directory.resolve("peers-ca.crt")
                        + ", so that replicas would refuse each other; copy all three files from the same place");
        assertThatProblemsOf(peers(pair, authority))
                .containsExactly(
                        "peers.certificate: " + file
                                + " is not for servers and for clients by its extended key usage, and a replica is"
                                + " both; make another pair with 'sluice certs make --peers --dir " + directory
                                + " --force'",
                        "peers.certificate: " + file + " does not have the DNS name gpu-webhook-peers among its subject"
                                + " alternative names, by which replicas know each other; make another pair with"
                                + " 'sluice certs make --peers --dir " + directory + " --force'");
        assertThat(TlsCertificateReader.read(peers(peer, authority), TlsEngine.JDK, NOW.plus(Duration.ofDays(6))))
                .asInstanceOf(type(TlsCertificateReader.TlsReading.UnusableTls.class))
                .extracting(TlsCertificateReader.TlsReading.UnusableTls::problems, list(String.class))
                .singleElement()
                .asString()
                .startsWith("peers.certificate: " + file + " expired on ");
        assertThat(TlsCertificateReader.read(peers(peer, authority), TlsEngine.JDK, NOW.plus(Duration.ofDays(11))))
                .asInstanceOf(type(TlsCertificateReader.TlsReading.UnusableTls.class))
                .extracting(TlsCertificateReader.TlsReading.UnusableTls::problems, list(String.class))
                .anySatisfy(problem -> assertThat(problem)
                        .startsWith("peers.authority: every certificate in ")
                        .contains("replicas would refuse each other"));
    }

    @Test
    void namesEveryMissingFileOfReplicas() {
        TlsCertificateReader.TlsFiles files = TlsCertificateReader.TlsFiles.ofPeers(
                directory.resolve("peers-tls.crt"),
                directory.resolve("peers-tls.key"),
                directory.resolve("peers-ca.crt"));

        assertThatProblemsOf(files)
                .hasSize(3)
                .allSatisfy(problem -> assertThat(problem)
                        .contains("does not exist", "'sluice certs make --peers --dir " + directory));
    }

    private TlsCertificateReader.TlsFiles peers(CertifiedKey pair, CertificateAuthority trusted) throws Exception {
        return TlsCertificateReader.TlsFiles.ofPeers(
                Certificates.write(directory, "peers-tls.crt", pair.certificatePem()),
                Certificates.write(directory, "peers-tls.key", pair.keyPem()),
                Certificates.write(directory, "peers-ca.crt", trusted.certificatePem()));
    }

    @Test
    void readsAChainAmongComments() throws Exception {
        String text = "subject=localhost\n" + pair.certificatePem() + "\nissuer:\r\n" + authority.certificatePem();

        assertThat(read(Certificates.files(directory, text, pair.keyPem())))
                .asInstanceOf(type(TlsCertificateReader.TlsReading.Usable.class))
                .extracting(usable -> usable.tls().identity().chain())
                .isEqualTo(List.of(pair.certificate(), authority.identity().certificate()));
    }

    @Test
    void namesBothMissingFilesAtOnce() {
        TlsCertificateReader.TlsFiles files = new TlsCertificateReader.TlsFiles(
                directory.resolve("tls.crt"), directory.resolve("tls.key"), Optional.empty());

        assertThatProblemsOf(files)
                .containsExactly(
                        "tls.certificate: " + files.certificate() + " does not exist; correct the path, or make the"
                                + " file with 'sluice certs make --dir " + directory + "'",
                        "tls.key: " + files.key() + " does not exist; correct the path, or make the file with"
                                + " 'sluice certs make --dir " + directory + "'");
    }

    @Test
    void refusesADirectory() throws Exception {
        TlsCertificateReader.TlsFiles files = Certificates.files(directory, pair);

        assertThatProblemsOf(new TlsCertificateReader.TlsFiles(directory, files.key(), Optional.empty()))
                .containsExactly("tls.certificate: " + directory + " is a directory; name the PEM file in it");
    }

    @Test
    void refusesAFileWithoutPem() throws Exception {
        TlsCertificateReader.TlsFiles files = Certificates.files(directory, "hello", pair.keyPem());

        assertThatProblemsOf(files)
                .containsExactly("tls.certificate: " + files.certificate() + " holds no certificate; it needs a block"
                        + " '-----BEGIN CERTIFICATE-----' (there is no PEM in it at all)");
    }

    @Test
    void tellsWhenTheTwoFilesAreSwapped() throws Exception {
        TlsCertificateReader.TlsFiles files = Certificates.files(directory, pair.keyPem(), pair.certificatePem());

        assertThatProblemsOf(files)
                .satisfiesExactly(
                        certificate -> assertThat(certificate).endsWith("(it has PRIVATE KEY)"),
                        key -> assertThat(key).startsWith("tls.key: ").endsWith("(it has CERTIFICATE)"));
    }

    @Test
    void refusesAFileThatIsCutShort() throws Exception {
        String text = pair.certificatePem();
        TlsCertificateReader.TlsFiles files =
                Certificates.files(directory, text.substring(0, text.length() - 10), pair.keyPem());

        assertThatProblemsOf(files).singleElement().asString().contains("is cut short");
    }

    @Test
    void refusesACertificateThatCannotBeDecoded() throws Exception {
        TlsCertificateReader.TlsFiles files = Certificates.files(
                directory,
                pair.certificatePem() + PemBlock.encode(PemBlock.CERTIFICATE, new byte[] {1, 2, 3}),
                pair.keyPem());

        assertThatProblemsOf(files).singleElement().asString().contains("certificate 2 cannot be decoded");
    }

    @Test
    void refusesABodyThatIsNotBase64() throws Exception {
        TlsCertificateReader.TlsFiles files = Certificates.files(
                directory, pair.certificatePem(), "-----BEGIN EC PRIVATE KEY-----\n!!\n-----END EC PRIVATE KEY-----\n");

        assertThatProblemsOf(files).singleElement().asString().contains("tls.key: the private key cannot be decoded");
    }

    @Test
    void refusesAnEncryptedKey() throws Exception {
        TlsCertificateReader.TlsFiles files = Certificates.files(
                directory, pair.certificatePem(), PemBlock.encode("ENCRYPTED PRIVATE KEY", new byte[] {1}));

        assertThatProblemsOf(files).singleElement().asString().contains("is encrypted; decrypt it with 'openssl pkey");
    }

    @Test
    void refusesAKeyOfAnotherCertificate() throws Exception {
        CertifiedKey stranger = Certificates.leaf(authority);
        TlsCertificateReader.TlsFiles files = Certificates.files(directory, pair.certificatePem(), stranger.keyPem());

        assertThatProblemsOf(files)
                .containsExactly("tls: " + files.key() + " does not belong to " + files.certificate()
                        + "; copy both from the same place, or make a new pair with 'sluice certs make --dir "
                        + directory + " --force'");
    }

    @Test
    void namesTheCommandForPeersWhereTheKeyIsOfAnotherCertificateOfReplicas() throws Exception {
        TlsCertificateReader.TlsFiles webhook = Certificates.files(
                directory, pair.certificatePem(), Certificates.leaf(authority).keyPem());
        TlsCertificateReader.TlsFiles files = TlsCertificateReader.TlsFiles.ofPeers(
                webhook.certificate(),
                webhook.key(),
                Files.writeString(directory.resolve("peers-ca.crt"), authority.certificatePem()));

        assertThatProblemsOf(files)
                .singleElement()
                .asString()
                .startsWith("peers: " + files.key() + " does not belong to ")
                .endsWith("or make a new pair with 'sluice certs make --peers --dir " + directory + " --force'");
    }

    @Test
    void refusesAnRsaKeyOfAnEcCertificate() throws Exception {
        KeyPair rsa = KeyPairGenerator.getInstance("RSA").generateKeyPair();
        TlsCertificateReader.TlsFiles files = Certificates.files(
                directory,
                pair.certificatePem(),
                PemBlock.encode(PemBlock.PKCS8, rsa.getPrivate().getEncoded()));

        assertThatProblemsOf(files).singleElement().asString().contains("does not belong");
    }

    @Test
    void tellsWhenTheChainIsInTheWrongOrder() throws Exception {
        TlsCertificateReader.TlsFiles files =
                Certificates.files(directory, authority.certificatePem() + pair.certificatePem(), pair.keyPem());

        assertThatProblemsOf(files)
                .singleElement()
                .asString()
                .endsWith("belongs to certificate 2 of the file; put that one first");
    }

    @Test
    void refusesAChainWithACertificateThatDidNotSign() throws Exception {
        String foreign = Certificates.authority().certificatePem();

        assertThatProblemsOf(Certificates.files(directory, pair.certificatePem() + foreign, pair.keyPem()))
                .singleElement()
                .asString()
                .contains("has certificate 2 behind certificate 1, which it did not sign");
    }

    @Test
    void refusesTheCertificateOfAClient() throws Exception {
        CertifiedKey client = authority.issueForClient(Certificates.LOCALHOST, NOW, Duration.ofDays(1));

        assertThatProblemsOf(Certificates.files(directory, client))
                .singleElement()
                .asString()
                .contains("is not for servers by its extended key usage; mount the pair of the gateway");
    }

    @Test
    void warnsOfACertificateForAnotherName() throws Exception {
        CertifiedKey other = authority.issue(
                new ServerCertificateNames(List.of("gpu-webhook.other.svc"), List.of()), NOW, Duration.ofDays(1));

        assertThat(read(Certificates.files(directory, other)))
                .asInstanceOf(type(TlsCertificateReader.TlsReading.Usable.class))
                .extracting(usable -> usable.warnings().getFirst())
                .asString()
                .contains("is not for gpu-webhook.gpu-webhook.svc");
    }

    @Test
    void refusesAnExpiredCertificate() throws Exception {
        TlsCertificateReader.TlsFiles files = Certificates.files(directory, pair);
        Instant later = NOW.plus(Duration.ofDays(6));

        assertThat(TlsCertificateReader.read(files, TlsEngine.JDK, later))
                .asInstanceOf(type(TlsCertificateReader.TlsReading.UnusableTls.class))
                .extracting(refused -> refused.problems().getFirst())
                .asString()
                .startsWith("tls.certificate: " + files.certificate() + " expired on ")
                .endsWith("make a new pair with 'sluice certs make --dir " + directory + " --force'");
    }

    @Test
    void warnsOfACertificateThatIsNotValidYet() throws Exception {
        TlsCertificateReader.TlsFiles files = Certificates.files(directory, pair);
        Instant earlier = NOW.minus(Duration.ofDays(1));

        assertThat(TlsCertificateReader.read(files, TlsEngine.JDK, earlier))
                .asInstanceOf(type(TlsCertificateReader.TlsReading.Usable.class))
                .extracting(usable -> usable.warnings().getFirst())
                .asString()
                .contains("is not valid before");
    }

    @Test
    void warnsOfACertificateWithoutAlternativeNames() throws Exception {
        assertThat(read(Certificates.files(directory, authority.identity())))
                .asInstanceOf(type(TlsCertificateReader.TlsReading.Usable.class))
                .extracting(usable -> usable.warnings().getFirst())
                .asString()
                .contains("has no subject alternative names");
    }

    @Test
    void refusesAClientAuthorityWithoutACertificate() throws Exception {
        Path clientCa = Certificates.write(directory, "client-ca.crt", pair.keyPem());

        assertThatProblemsOf(withClientCa(clientCa))
                .containsExactly("tls.clientCa: " + clientCa + " holds no certificate; it needs a block"
                        + " '-----BEGIN CERTIFICATE-----' (it has PRIVATE KEY)");
    }

    @Test
    void refusesClientAuthoritiesThatHaveAllExpired() throws Exception {
        CertificateAuthority old = CertificateAuthority.create(NOW.minus(Duration.ofDays(9)), Duration.ofDays(1));
        Path clientCa = Certificates.write(directory, "client-ca.crt", old.certificatePem());

        assertThatProblemsOf(withClientCa(clientCa)).singleElement().asString().contains("every certificate in");

        Certificates.write(directory, "client-ca.crt", old.certificatePem() + authority.certificatePem());
        assertThat(read(withClientCa(clientCa))).isInstanceOf(TlsCertificateReader.TlsReading.Usable.class);
    }

    @Test
    void collectsTheProblemsOfEveryFile() throws Exception {
        TlsCertificateReader.TlsFiles files = new TlsCertificateReader.TlsFiles(
                directory.resolve("absent.crt"),
                Certificates.write(directory, "tls.key", pair.keyPem()),
                Optional.of(directory.resolve("absent-ca.crt")));

        assertThatProblemsOf(files).hasSize(2);
    }

    /** A certificate is judged by itself as well. */
    @Test
    void refusesAnExpiredCertificateWithoutItsKey() throws Exception {
        TlsCertificateReader.TlsFiles files = Certificates.files(directory, pair.certificatePem(), "no key");

        assertThat(TlsCertificateReader.read(files, TlsEngine.JDK, NOW.plus(Duration.ofDays(6))))
                .asInstanceOf(type(TlsCertificateReader.TlsReading.UnusableTls.class))
                .extracting(TlsCertificateReader.TlsReading.UnusableTls::problems, list(String.class))
                .satisfiesExactly(
                        key -> assertThat(key).startsWith("tls.key: "),
                        certificate -> assertThat(certificate).contains(" expired on "));
    }

    @Test
    void refusesAFileThatIsTooLarge() throws Exception {
        Path huge = directory.resolve("huge.crt");
        Files.write(huge, new byte[(1 << 20) + 1]);

        assertThatProblemsOf(new TlsCertificateReader.TlsFiles(huge, huge, Optional.empty()))
                .allSatisfy(problem -> assertThat(problem).contains("is larger than 1 MiB"));
    }

    @Test
    void namesTheOtherEngineWhereThereIsNoNativeLibrary() {
        assertThat(TlsEngine.OPENSSL.problem(() -> false))
                .hasValueSatisfying(problem -> assertThat(problem)
                        .startsWith("tls.engine: openssl has no native library")
                        .endsWith("set tls.engine: jdk"));
        assertThat(TlsEngine.OPENSSL.problem(() -> true)).isEmpty();
        assertThat(TlsEngine.JDK.problem(() -> false)).isEmpty();
    }

    @Test
    void refusesAKeyTypeThatIsNotServed() throws Exception {
        KeyPair keys = KeyPairGenerator.getInstance("Ed25519").generateKeyPair();

        assertThat(PrivateKeys.read(PemBlock.parse(PemBlock.encode(
                                PemBlock.PKCS8, keys.getPrivate().getEncoded()))
                        .getFirst()))
                .isPresent();
        assertThat(PrivateKeys.belong(keys.getPrivate(), keys.getPublic())).isTrue();
        CertifiedKey unserved = Certificates.selfSigned(keys);
        assertThatProblemsOf(Certificates.files(directory, unserved))
                .singleElement()
                .asString()
                .endsWith("has a key of type EdDSA, which is not served; use EC (P-256) or RSA");
    }

    private TlsCertificateReader.TlsFiles withClientCa(Path clientCa) throws Exception {
        TlsCertificateReader.TlsFiles files = Certificates.files(directory, pair);
        return new TlsCertificateReader.TlsFiles(files.certificate(), files.key(), Optional.of(clientCa));
    }

    private static TlsCertificateReader.TlsReading read(TlsCertificateReader.TlsFiles files) {
        return TlsCertificateReader.read(files, TlsEngine.JDK, NOW);
    }

    private static ListAssert<String> assertThatProblemsOf(TlsCertificateReader.TlsFiles files) {
        return assertThat(read(files))
                .asInstanceOf(type(TlsCertificateReader.TlsReading.UnusableTls.class))
                .extracting(TlsCertificateReader.TlsReading.UnusableTls::problems)
                .asInstanceOf(list(String.class));
    }
}
