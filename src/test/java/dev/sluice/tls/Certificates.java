package dev.sluice.tls;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.security.interfaces.ECPrivateKey;
import java.security.spec.AlgorithmParameterSpec;
import java.security.spec.ECGenParameterSpec;
import java.security.spec.RSAKeyGenParameterSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import javax.security.auth.x500.X500Principal;
import org.bouncycastle.asn1.ASN1Object;
import org.bouncycastle.asn1.pkcs.PrivateKeyInfo;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.bouncycastle.cert.jcajce.JcaX509CertificateConverter;
import org.bouncycastle.cert.jcajce.JcaX509v3CertificateBuilder;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;

/** Authorities and pairs for tests. */
public final class Certificates {

    /** Handshakes go by the real clock; all tests of a run agree on one moment of it. */
    @SuppressWarnings("TimeInStaticInitializer")
    public static final Instant NOW = Instant.now();

    static final ServerCertificateNames LOCALHOST =
            new ServerCertificateNames(List.of("localhost", "gpu-webhook.gpu-webhook.svc"), List.of("127.0.0.1"));

    /** A pair by OpenSSL for the curve secp256k1, which neither engine serves and the JDK does not make. */
    public static final String STRANGE_CERTIFICATE = """
            -----BEGIN CERTIFICATE-----
            MIIBkTCCATigAwIBAgIUf/SSBOgGpjxhWfBsbDlLf8HQ51QwCgYIKoZIzj0EAwIw
            FDESMBAGA1UEAwwJbG9jYWxob3N0MCAXDTI2MTEyMzAyMDkzN1oYDzIxMjYxMDMw
            MDIwOTM3WjAUMRIwEAYDVQQDDAlsb2NhbGhvc3QwVjAQBgcqhkjOPQIBBgUrgQQA
            CgNCAASHiuZJ3/iXYq8sWczQlk7Qxuvf4AXqmGORhRMYII4SUAWZ6MndN2vzAYxO
            2KfXr7hoC+Mz3x5HMrC6YCgGuRLao2kwZzAdBgNVHQ4EFgQU8WJ+bR/PUaUrMVIr
            t/V7ez0afNQwHwYDVR0jBBgwFoAU8WJ+bR/PUaUrMVIrt/V7ez0afNQwDwYDVR0T
            AQH/BAUwAwEB/zAUBgNVHREEDTALgglsb2NhbGhvc3QwCgYIKoZIzj0EAwIDRwAw
            RAIgQ3Ia/xhBFsesJJ+pSF30XxLzpQd5XKY7CeziMQ3/qPUCIAu9vatuhjyraGQA
            U76JqM77iS7Vsykk7Df/SBlWg/Iy
            -----END CERTIFICATE-----
            """;

    public static final String STRANGE_KEY = """
            -----BEGIN PRIVATE KEY-----
            MIGEAgEAMBAGByqGSM49AgEGBSuBBAAKBG0wawIBAQQgKS8e8oPu/tqgGMkH7u5B
            QdQi4Z1JDwt8e+IVuN6u1wGhRANCAASHiuZJ3/iXYq8sWczQlk7Qxuvf4AXqmGOR
            hRMYII4SUAWZ6MndN2vzAYxO2KfXr7hoC+Mz3x5HMrC6YCgGuRLa
            -----END PRIVATE KEY-----
            """;

    private Certificates() {}

    public static CertificateAuthority authority() {
        return CertificateAuthority.create(NOW, Duration.ofDays(10));
    }

    public static CertifiedKey leaf(CertificateAuthority authority) {
        return authority.issue(LOCALHOST, NOW, Duration.ofDays(5));
    }

    /** Files {@code tls.crt} and {@code tls.key} of the directory, with these contents. */
    public static TlsCertificateReader.TlsFiles files(Path directory, String certificate, String key)
            throws IOException {
        return new TlsCertificateReader.TlsFiles(
                write(directory, "tls.crt", certificate), write(directory, "tls.key", key), Optional.empty());
    }

    public static TlsCertificateReader.TlsFiles files(Path directory, CertifiedKey pair) throws IOException {
        return files(directory, pair.certificatePem(), pair.keyPem());
    }

    @CanIgnoreReturnValue
    public static Path write(Path directory, String name, String content) throws IOException {
        return Files.writeString(directory.resolve(name), content);
    }

    /** For the key types that our own authority does not make. */
    public static CertifiedKey selfSigned(KeyPair keys) throws Exception {
        return signed(keys, new X500Principal("CN=localhost"), keys.getPrivate());
    }

    /** Our own authority makes certificates of servers only. */
    public static CertifiedKey client(CertificateAuthority authority) throws Exception {
        CertifiedKey issuer = authority.identity();
        KeyPair keys = keys("EC", new ECGenParameterSpec("secp256r1"));
        return signed(keys, issuer.certificate().getSubjectX500Principal(), issuer.key());
    }

    /** A server's certificate for an RSA key. */
    public static CertifiedKey rsaLeaf(CertificateAuthority authority) throws Exception {
        CertifiedKey issuer = authority.identity();
        KeyPair keys = keys("RSA", new RSAKeyGenParameterSpec(2048, RSAKeyGenParameterSpec.F4));
        return signed(keys, issuer.certificate().getSubjectX500Principal(), issuer.key());
    }

    /** A certificate that may be a server's and a client's. */
    public static CertifiedKey named(CertificateAuthority authority, String name) throws Exception {
        CertifiedKey issuer = authority.identity();
        KeyPair keys = keys("EC", new ECGenParameterSpec("secp256r1"));
        return signed(keys, issuer.certificate().getSubjectX500Principal(), issuer.key(), name);
    }

    private static CertifiedKey signed(KeyPair keys, X500Principal issuer, PrivateKey issuerKey) throws Exception {
        return signed(keys, issuer, issuerKey, "localhost", "gpu-webhook.gpu-webhook.svc");
    }

    private static CertifiedKey signed(KeyPair keys, X500Principal issuer, PrivateKey issuerKey, String... names)
            throws Exception {
        String algorithm = switch (issuerKey.getAlgorithm()) {
            case "RSA" -> "SHA256withRSA";
            case "EC" -> "SHA256withECDSA";
            default -> "Ed25519";
        };
        JcaX509v3CertificateBuilder builder = new JcaX509v3CertificateBuilder(
                issuer,
                BigInteger.ONE,
                Date.from(NOW.minus(Duration.ofDays(1))),
                Date.from(NOW.plus(Duration.ofDays(1))),
                new X500Principal("CN=" + names[0]),
                keys.getPublic());
        builder.addExtension(
                Extension.subjectAlternativeName,
                false,
                new GeneralNames(Stream.of(names)
                        .map(name -> new GeneralName(GeneralName.dNSName, name))
                        .toArray(GeneralName[]::new)));
        X509Certificate certificate = new JcaX509CertificateConverter()
                .getCertificate(builder.build(new JcaContentSignerBuilder(algorithm).build(issuerKey)));
        return new CertifiedKey(List.of(certificate), keys.getPrivate());
    }

    /** PKCS#1 for RSA; SEC1 for EC, behind the block that OpenSSL puts before it. */
    public static String traditionalPem(PrivateKey key) throws IOException {
        PrivateKeyInfo info = PrivateKeyInfo.getInstance(key.getEncoded());
        return switch (key) {
            case ECPrivateKey ec ->
                PemBlock.encode("EC PARAMETERS", parameters(info).getEncoded())
                        + PemBlock.encode(
                                PemBlock.SEC1,
                                new org.bouncycastle.asn1.sec.ECPrivateKey(
                                                ec.getParams().getOrder().bitLength(), ec.getS(), parameters(info))
                                        .getEncoded());
            default ->
                PemBlock.encode(
                        PemBlock.PKCS1, info.parsePrivateKey().toASN1Primitive().getEncoded());
        };
    }

    private static ASN1Object parameters(PrivateKeyInfo info) {
        return (ASN1Object) info.getPrivateKeyAlgorithm().getParameters();
    }

    public static KeyPair keys(String algorithm, AlgorithmParameterSpec parameters) throws Exception {
        KeyPairGenerator generator = KeyPairGenerator.getInstance(algorithm);
        generator.initialize(parameters);
        return generator.generateKeyPair();
    }
}
