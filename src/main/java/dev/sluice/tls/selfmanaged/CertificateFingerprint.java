package dev.sluice.tls.selfmanaged;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.cert.CertificateEncodingException;
import java.security.cert.X509Certificate;
import java.util.HexFormat;

/** Calculates the SHA-256 hash of a certificate in hexadecimal digits. */
final class CertificateFingerprint {

    private CertificateFingerprint() {}

    static String of(X509Certificate certificate) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(certificate.getEncoded()));
        } catch (NoSuchAlgorithmException | CertificateEncodingException impossible) {
            throw new IllegalStateException(impossible);
        }
    }
}
