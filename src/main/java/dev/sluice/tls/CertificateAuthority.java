package dev.sluice.tls;

import java.io.IOException;
import java.math.BigInteger;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.security.spec.ECGenParameterSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import java.util.stream.Stream;
import javax.security.auth.x500.X500Principal;
import org.bouncycastle.asn1.x509.AuthorityKeyIdentifier;
import org.bouncycastle.asn1.x509.BasicConstraints;
import org.bouncycastle.asn1.x509.ExtendedKeyUsage;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.bouncycastle.asn1.x509.KeyPurposeId;
import org.bouncycastle.asn1.x509.KeyUsage;
import org.bouncycastle.asn1.x509.SubjectKeyIdentifier;
import org.bouncycastle.cert.X509v3CertificateBuilder;
import org.bouncycastle.cert.jcajce.JcaX509CertificateConverter;
import org.bouncycastle.cert.jcajce.JcaX509ExtensionUtils;
import org.bouncycastle.cert.jcajce.JcaX509v3CertificateBuilder;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;

/** A certificate authority with a P-256 key. It signs certificates of servers and of clients. */
public record CertificateAuthority(CertifiedKey identity) {

    /**
     * The default lifetime of an authority: ten years. Administrators rarely change the caBundle of a webhook
     * configuration, and the server certificates are renewed separately.
     */
    public static final Duration DEFAULT_VALIDITY = Duration.ofDays(3650);

    /**
     * The validity of a certificate begins this long before its issue. Otherwise, an API server whose clock is slow
     * would reject a new certificate.
     */
    private static final Duration CLOCK_SKEW = Duration.ofMinutes(5);

    private static final X500Principal NAME = new X500Principal("CN=Sluice webhook CA");
    private static final X500Principal PEERS_NAME = new X500Principal("CN=Sluice peers CA");
    private static final ServerCertificateNames PEER =
            new ServerCertificateNames(List.of(CertificateUse.PEER_NAME), List.of());
    private static final int SERIAL_BITS = 127;
    private static final int LONGEST_COMMON_NAME = 64;
    private static final int CERT_SIGN_BIT = 5;
    private static final SecureRandom RANDOM = new SecureRandom();

    /** Throws IllegalArgumentException if the certificate may not sign other certificates. */
    public CertificateAuthority {
        if (!mayBe(identity.certificate())) {
            throw new IllegalArgumentException(identity + " may not sign certificates");
        }
    }

    private static boolean mayBe(X509Certificate certificate) {
        boolean[] usage = certificate.getKeyUsage();
        return certificate.getBasicConstraints() >= 0 && (usage == null || usage[CERT_SIGN_BIT]);
    }

    /** Reads an authority and rejects it if it has expired at {@code now}. */
    public static CertificateAuthority read(Path certificate, Path key, Instant now)
            throws PemFile.UnusableFileException {
        CertifiedKey identity = PemFile.read(certificate).withKey(PemFile.read(key));
        if (!mayBe(identity.certificate())) {
            throw new PemFile.UnusableFileException(certificate + " may not sign certificates; name an authority");
        }
        Instant end = identity.certificate().getNotAfter().toInstant();
        if (now.isAfter(end)) {
            throw new PemFile.UnusableFileException(certificate + " expired on " + end + "; move it and its key away");
        }
        return new CertificateAuthority(identity);
    }

    /** Creates an authority for the certificates of the webhook's servers and clients. */
    public static CertificateAuthority create(Instant now, Duration validity) {
        return create(now, validity, CertificateUse.WEBHOOK);
    }

    public static CertificateAuthority create(Instant now, Duration validity, CertificateUse use) {
        X500Principal name = use == CertificateUse.PEERS ? PEERS_NAME : NAME;
        try {
            KeyPair keys = newKeys();
            X509v3CertificateBuilder builder = new JcaX509v3CertificateBuilder(
                            name, serial(), notBefore(now), Date.from(now.plus(validity)), name, keys.getPublic())
                    .addExtension(Extension.basicConstraints, true, new BasicConstraints(0))
                    .addExtension(Extension.keyUsage, true, new KeyUsage(KeyUsage.keyCertSign | KeyUsage.cRLSign))
                    .addExtension(Extension.subjectKeyIdentifier, false, identifier(keys));
            return new CertificateAuthority(
                    new CertifiedKey(List.of(sign(builder, keys.getPrivate())), keys.getPrivate()));
        } catch (GeneralSecurityException | IOException | OperatorCreationException e) {
            throw new IllegalStateException("the JDK could not make a certificate", e);
        }
    }

    /**
     * Creates a P-256 key and a server certificate for it. The certificate expires together with this authority at the
     * latest.
     */
    public CertifiedKey issue(ServerCertificateNames names, Instant now, Duration validity) {
        return issueFor(new ExtendedKeyUsage(KeyPurposeId.id_kp_serverAuth), names, now, validity);
    }

    /**
     * Creates a P-256 key and a certificate for a client, such as the API server when it calls a webhook. The
     * certificate expires together with this authority at the latest.
     */
    public CertifiedKey issueForClient(ServerCertificateNames names, Instant now, Duration validity) {
        return issueFor(new ExtendedKeyUsage(KeyPurposeId.id_kp_clientAuth), names, now, validity);
    }

    /**
     * Creates a P-256 key and a certificate with which replicas authenticate to each other, as servers and as clients.
     * The certificate expires together with this authority at the latest.
     */
    public CertifiedKey issueForPeers(Instant now, Duration validity) {
        ExtendedKeyUsage both =
                new ExtendedKeyUsage(new KeyPurposeId[] {KeyPurposeId.id_kp_serverAuth, KeyPurposeId.id_kp_clientAuth});
        return issueFor(both, PEER, now, validity);
    }

    private CertifiedKey issueFor(
            ExtendedKeyUsage purposes, ServerCertificateNames names, Instant now, Duration validity) {
        try {
            KeyPair keys = newKeys();
            X509v3CertificateBuilder builder = new JcaX509v3CertificateBuilder(
                            issuer(), serial(), notBefore(now), end(now, validity), subject(names), keys.getPublic())
                    .addExtension(Extension.basicConstraints, true, new BasicConstraints(false))
                    .addExtension(Extension.keyUsage, true, new KeyUsage(KeyUsage.digitalSignature))
                    .addExtension(Extension.extendedKeyUsage, false, purposes)
                    .addExtension(Extension.subjectAlternativeName, false, alternativeNames(names))
                    .addExtension(Extension.subjectKeyIdentifier, false, identifier(keys))
                    .addExtension(Extension.authorityKeyIdentifier, false, issuerIdentifier());
            return new CertifiedKey(List.of(sign(builder, identity.key())), keys.getPrivate());
        } catch (GeneralSecurityException | IOException | OperatorCreationException e) {
            throw new IllegalStateException("the JDK could not make a certificate", e);
        }
    }

    /** Returns the certificate as PEM. Clients need it to verify the server; a caBundle contains it in base64. */
    public String certificatePem() {
        return identity.certificatePem();
    }

    private X509Certificate issuer() {
        return identity.certificate();
    }

    private Date end(Instant now, Duration validity) {
        Instant wanted = now.plus(validity);
        Instant last = issuer().getNotAfter().toInstant();
        return Date.from(wanted.isAfter(last) ? last : wanted);
    }

    private static X500Principal subject(ServerCertificateNames names) {
        return Stream.concat(names.dnsNames().stream(), names.addresses().stream())
                .filter(name -> name.length() <= LONGEST_COMMON_NAME)
                .findFirst()
                .map(name -> new X500Principal("CN=" + name))
                .orElseGet(() -> new X500Principal("CN=Sluice webhook"));
    }

    private static GeneralNames alternativeNames(ServerCertificateNames names) {
        return new GeneralNames(Stream.concat(
                        names.dnsNames().stream().map(name -> new GeneralName(GeneralName.dNSName, name)),
                        names.addresses().stream().map(address -> new GeneralName(GeneralName.iPAddress, address)))
                .toArray(GeneralName[]::new));
    }

    private static SubjectKeyIdentifier identifier(KeyPair keys) throws GeneralSecurityException {
        return new JcaX509ExtensionUtils().createSubjectKeyIdentifier(keys.getPublic());
    }

    /**
     * Returns the extension that identifies the issuer by its key only. Without the issuer's name and serial number,
     * the extension also matches a renewed certificate of the same authority.
     */
    private AuthorityKeyIdentifier issuerIdentifier() throws GeneralSecurityException {
        return new AuthorityKeyIdentifier(new JcaX509ExtensionUtils()
                .createAuthorityKeyIdentifier(issuer())
                .getKeyIdentifierOctets());
    }

    private static KeyPair newKeys() throws GeneralSecurityException {
        KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
        generator.initialize(new ECGenParameterSpec("secp256r1"));
        return generator.generateKeyPair();
    }

    private static BigInteger serial() {
        return new BigInteger(SERIAL_BITS, RANDOM).setBit(SERIAL_BITS);
    }

    private static Date notBefore(Instant now) {
        return Date.from(now.minus(CLOCK_SKEW));
    }

    private static X509Certificate sign(X509v3CertificateBuilder builder, PrivateKey key)
            throws GeneralSecurityException, OperatorCreationException {
        String algorithm = switch (key.getAlgorithm()) {
            case "EC" -> "SHA256withECDSA";
            case "RSA" -> "SHA256withRSA";
            default -> "Ed25519";
        };
        return new JcaX509CertificateConverter()
                .getCertificate(builder.build(new JcaContentSignerBuilder(algorithm).build(key)));
    }
}
