package dev.sluice.tls;

import java.security.PrivateKey;
import java.security.cert.CertificateEncodingException;
import java.security.cert.X509Certificate;
import java.util.Collection;
import java.util.List;
import java.util.stream.Collectors;

/** A certificate chain and the private key that belongs to its first certificate. */
public record CertifiedKey(List<X509Certificate> chain, PrivateKey key) {

    /** Throws IllegalArgumentException if the key does not belong to the first certificate. */
    public CertifiedKey {
        chain = List.copyOf(chain);
        if (chain.isEmpty() || !PrivateKeys.belong(key, chain.getFirst().getPublicKey())) {
            throw new IllegalArgumentException("the key does not belong to the first certificate");
        }
    }

    public X509Certificate certificate() {
        return chain.getFirst();
    }

    public String certificatePem() {
        return pem(chain);
    }

    /** Returns the private key as PEM in PKCS#8. */
    public String keyPem() {
        return PemBlock.encode(PemBlock.PKCS8, key.getEncoded());
    }

    public static String pem(Collection<X509Certificate> certificates) {
        return certificates.stream()
                .map(certificate -> PemBlock.encode(PemBlock.CERTIFICATE, der(certificate)))
                .collect(Collectors.joining());
    }

    private static byte[] der(X509Certificate certificate) {
        try {
            return certificate.getEncoded();
        } catch (CertificateEncodingException e) {
            throw new IllegalArgumentException("a certificate without an encoding", e);
        }
    }

    /** Returns a text without the private key, so that a log line cannot contain it. */
    @Override
    public String toString() {
        return "CertifiedKey[" + certificate().getSubjectX500Principal() + "]";
    }
}
