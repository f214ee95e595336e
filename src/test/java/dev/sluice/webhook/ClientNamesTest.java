package dev.sluice.webhook;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.tls.CertificateAuthority;
import dev.sluice.tls.CertifiedKey;
import dev.sluice.tls.ClientCertificateNames;
import dev.sluice.tls.ServerCertificateNames;
import dev.sluice.tls.ServerTls;
import dev.sluice.tls.TlsEngine;
import io.vertx.core.http.HttpServerOptions;
import java.io.IOException;
import java.math.BigInteger;
import java.net.Socket;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.spec.ECGenParameterSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Date;
import java.util.List;
import java.util.Set;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManagerFactory;
import javax.security.auth.x500.X500Principal;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.bouncycastle.cert.jcajce.JcaX509CertificateConverter;
import org.bouncycastle.cert.jcajce.JcaX509v3CertificateBuilder;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Whom of the holders of a good certificate the gateway serves, over real TLS. */
class ClientNamesTest {

    private static final Duration DAY = Duration.ofDays(1);
    private static final String SENTENCE = "the client's certificate bears none of the names in tls.clientNames";

    private final CertificateAuthority authority = CertificateAuthority.create(Instant.now(), DAY);

    /** With the first name as its common name, and the others as DNS names. */
    private CertifiedKey certificate(String... names) throws Exception {
        KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
        generator.initialize(new ECGenParameterSpec("secp256r1"));
        KeyPair keys = generator.generateKeyPair();
        CertifiedKey issuer = authority.identity();
        Instant now = Instant.now();
        JcaX509v3CertificateBuilder builder = new JcaX509v3CertificateBuilder(
                issuer.certificate().getSubjectX500Principal(),
                BigInteger.TEN,
                Date.from(now.minus(DAY)),
                Date.from(now.plus(DAY)),
                new X500Principal("CN=" + names[0] + ",O=system:masters"),
                keys.getPublic());
        GeneralName[] alternatives = Arrays.stream(names)
                .skip(1)
                .map(name -> new GeneralName(GeneralName.dNSName, name))
                .toArray(GeneralName[]::new);
        if (alternatives.length > 0) {
            builder.addExtension(Extension.subjectAlternativeName, false, new GeneralNames(alternatives));
        }
        return new CertifiedKey(
                List.of(new JcaX509CertificateConverter()
                        .getCertificate(
                                builder.build(new JcaContentSignerBuilder("SHA256withECDSA").build(issuer.key())))),
                keys.getPrivate());
    }

    private HttpServerOptions options(TlsEngine engine) {
        ServerCertificateNames names = new ServerCertificateNames(List.of("localhost"), List.of());
        return new ServerTls(
                        authority.issue(names, Instant.now(), DAY),
                        List.of(authority.identity().certificate()),
                        engine)
                .secure(new HttpServerOptions().setHost("localhost"));
    }

    private RawClient connect(TestGateway gateway, String protocol, @Nullable CertifiedKey identity) throws Exception {
        SSLContext context = SSLContext.getInstance("TLS");
        KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        KeyStore own = empty();
        if (identity != null) {
            own.setKeyEntry("own", identity.key(), new char[0], identity.chain().toArray(Certificate[]::new));
        }
        keys.init(own, new char[0]);
        KeyStore trusted = empty();
        trusted.setCertificateEntry("ca", authority.identity().certificate());
        TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trust.init(trusted);
        context.init(keys.getKeyManagers(), trust.getTrustManagers(), null);
        Socket wire = new Socket("localhost", gateway.port());
        SSLSocket tls = (SSLSocket)
                context.getSocketFactory().createSocket(wire, "localhost", gateway.port(), /* autoClose= */ true);
        tls.setEnabledProtocols(new String[] {protocol});
        return new RawClient(wire, tls);
    }

    private static KeyStore empty() throws Exception {
        KeyStore store = KeyStore.getInstance("PKCS12");
        store.load(null, null);
        return store;
    }

    @ParameterizedTest
    @CsvSource({"OPENSSL, TLSv1.3", "OPENSSL, TLSv1.2", "JDK, TLSv1.3", "JDK, TLSv1.2"})
    void servesOnlyWhoBearsOneOfTheNames(TlsEngine engine, String protocol) throws Exception {
        ClientCertificateNames names = new ClientCertificateNames(Set.of("kube-apiserver", "other"));
        try (TestGateway gateway = TestGateway.start(options(engine), names);
                RawClient welcome = connect(gateway, protocol, certificate("kube-apiserver"));
                RawClient byAlternative = connect(gateway, protocol, certificate("a.example", "kube-apiserver"))) {
            for (int i = 0; i < 3; i++) {
                for (RawClient client : List.of(welcome, byAlternative)) {
                    assertThat(client.send(Requests.post(Requests.REVIEW))
                                    .read()
                                    .patch(Requests.UID))
                            .isNotEmpty();
                }
            }
            assertStranger(connect(gateway, protocol, certificate("kubelet")), Requests.head("GET /healthz"));
            // No body comes: it is not waited for.
            assertStranger(
                    connect(gateway, protocol, certificate("kubelet")),
                    Requests.head("POST /mutate", "Content-Type: application/json", "Content-Length: 9000"));
        }
    }

    private static void assertStranger(RawClient stranger, String request) throws IOException {
        try (stranger) {
            stranger.send(request).read().isRefused(403, SENTENCE);
            assertThat(stranger.isClosed()).isTrue();
        }
    }

    @ParameterizedTest
    @EnumSource
    void letsNobodyInWithoutACertificate(TlsEngine engine) throws Exception {
        try (TestGateway gateway =
                TestGateway.start(options(engine), new ClientCertificateNames(Set.of("kube-apiserver")))) {
            assertThat(isServed(gateway, null)).isFalse();
            assertThat(isServed(gateway, certificate("kube-apiserver"))).isTrue();
        }
    }

    private boolean isServed(TestGateway gateway, @Nullable CertifiedKey identity) throws Exception {
        try (RawClient client = connect(gateway, "TLSv1.3", identity)) {
            return client.send(Requests.head("GET /healthz")).read().status() == 200;
        } catch (IOException refused) {
            return false;
        }
    }

    @Test
    void servesEveryGoodCertificateWhereNoNamesAreGiven() throws Exception {
        try (TestGateway gateway = TestGateway.start(options(TlsEngine.OPENSSL), ClientCertificateNames.ANY)) {
            assertThat(isServed(gateway, certificate("kubelet"))).isTrue();
        }
    }

    @ParameterizedTest
    @CsvSource({
        "kube-apiserver, kube-apiserver, other.example, true",
        "Kube-ApiServer.Example, other, kube-apiserver.example, true",
        "kube-apiserver, Kube-ApiServer, other.example, false",
        "kube-apiserver.example, kube-apiserver, other.example, false",
        "kube-apiserver, kube-apiserver.example, other.example, false",
        "system:masters, other, other.example, false",
        "'*.example', other, a.example, false",
    })
    void comparesWholeNames(String allowed, String common, String alternative, boolean served) throws Exception {
        try (TestGateway gateway =
                TestGateway.start(options(TlsEngine.OPENSSL), new ClientCertificateNames(Set.of(allowed)))) {
            assertThat(isServed(gateway, certificate(common, alternative))).isEqualTo(served);
        }
    }
}
