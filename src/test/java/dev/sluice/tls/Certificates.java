package dev.sluice.tls;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import java.io.IOException;
import java.io.StringWriter;
import java.math.BigInteger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.spec.AlgorithmParameterSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import java.util.Optional;
import javax.security.auth.x500.X500Principal;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.bouncycastle.cert.jcajce.JcaX509CertificateConverter;
import org.bouncycastle.cert.jcajce.JcaX509v3CertificateBuilder;
import org.bouncycastle.openssl.jcajce.JcaPEMWriter;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;

/** Authorities and pairs for tests. */
final class Certificates {

    /** Handshakes go by the real clock; all tests of a run agree on one moment of it. */
    @SuppressWarnings("TimeInStaticInitializer")
    static final Instant NOW = Instant.now();

    static final ServerNames LOCALHOST = new ServerNames(List.of("localhost"), List.of("127.0.0.1"));

    private Certificates() {}

    static CertificateAuthority authority() {
        return CertificateAuthority.create(NOW, Duration.ofDays(10));
    }

    static CertifiedKey leaf(CertificateAuthority authority) {
        return authority.issue(LOCALHOST, NOW, Duration.ofDays(5));
    }

    /** Files {@code tls.crt} and {@code tls.key} of the directory, with these contents. */
    static TlsFiles files(Path directory, String certificate, String key) throws IOException {
        return new TlsFiles(
                write(directory, "tls.crt", certificate), write(directory, "tls.key", key), Optional.empty());
    }

    static TlsFiles files(Path directory, CertifiedKey pair) throws IOException {
        return files(directory, pair.certificatePem(), pair.keyPem());
    }

    @CanIgnoreReturnValue
    static Path write(Path directory, String name, String content) throws IOException {
        return Files.writeString(directory.resolve(name), content);
    }

    /** For the key types that our own authority does not make. */
    static CertifiedKey selfSigned(KeyPair keys) throws Exception {
        X500Principal name = new X500Principal("CN=localhost");
        String algorithm = switch (keys.getPrivate().getAlgorithm()) {
            case "RSA" -> "SHA256withRSA";
            case "EC" -> "SHA256withECDSA";
            default -> "Ed25519";
        };
        JcaX509v3CertificateBuilder builder = new JcaX509v3CertificateBuilder(
                name,
                BigInteger.ONE,
                Date.from(NOW.minus(Duration.ofDays(1))),
                Date.from(NOW.plus(Duration.ofDays(1))),
                name,
                keys.getPublic());
        builder.addExtension(
                Extension.subjectAlternativeName,
                false,
                new GeneralNames(new GeneralName(GeneralName.dNSName, "localhost")));
        return new CertifiedKey(
                List.of(new JcaX509CertificateConverter()
                        .getCertificate(
                                builder.build(new JcaContentSignerBuilder(algorithm).build(keys.getPrivate())))),
                keys.getPrivate());
    }

    /** PKCS#1 for RSA and SEC1, with the parameters that OpenSSL puts before it, for EC. */
    static String traditionalPem(PrivateKey key) throws IOException {
        StringWriter text = new StringWriter();
        text.write("-----BEGIN EC PARAMETERS-----\nBggqhkjOPQMBBw==\n-----END EC PARAMETERS-----\n");
        try (JcaPEMWriter writer = new JcaPEMWriter(text)) {
            writer.writeObject(key);
        }
        return text.toString();
    }

    static KeyPair keys(String algorithm, AlgorithmParameterSpec parameters) throws Exception {
        KeyPairGenerator generator = KeyPairGenerator.getInstance(algorithm);
        generator.initialize(parameters);
        return generator.generateKeyPair();
    }
}
