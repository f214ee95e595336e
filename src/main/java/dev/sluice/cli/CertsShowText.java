package dev.sluice.cli;

import dev.sluice.text.CountText;
import dev.sluice.text.SafeText;
import java.security.PublicKey;
import java.security.cert.CertificateParsingException;
import java.security.cert.X509Certificate;
import java.security.interfaces.ECPublicKey;
import java.security.interfaces.RSAPublicKey;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** Formats the fields of a certificate as text. The text of the validity tells whether the certificate is valid now. */
record CertsShowText(X509Certificate certificate, Instant now) {

    String subject() {
        return SafeText.line(certificate.getSubjectX500Principal().getName());
    }

    String issuer() {
        String issuer = SafeText.line(certificate.getIssuerX500Principal().getName());
        return certificate.getIssuerX500Principal().equals(certificate.getSubjectX500Principal())
                ? issuer + " (itself)"
                : issuer;
    }

    String names() {
        try {
            return Optional.ofNullable(certificate.getSubjectAlternativeNames())
                    .map(names -> names.stream().map(CertsShowText::name).collect(Collectors.joining(", ")))
                    .orElse(isAuthority() ? "none" : "none (the API server would refuse it)");
        } catch (CertificateParsingException _) {
            return "unreadable";
        }
    }

    String keyType() {
        PublicKey key = certificate.getPublicKey();
        return switch (key) {
            case ECPublicKey ec -> "EC, " + ec.getParams().getOrder().bitLength() + " bits";
            case RSAPublicKey rsa -> "RSA, " + rsa.getModulus().bitLength() + " bits";
            default -> key.getAlgorithm();
        };
    }

    String notBefore() {
        Instant start = certificate.getNotBefore().toInstant();
        return now.isBefore(start) ? start + " (NOT VALID YET)" : start.toString();
    }

    String notAfter() {
        Instant end = certificate.getNotAfter().toInstant();
        return end
                + (isExpired()
                        ? " (EXPIRED " + days(Duration.between(end, now)) + " ago)"
                        : " (" + days(Duration.between(now, end)) + " left)");
    }

    boolean isAuthority() {
        return certificate.getBasicConstraints() >= 0;
    }

    boolean isExpired() {
        return now.isAfter(certificate.getNotAfter().toInstant());
    }

    private static String days(Duration duration) {
        return duration.toDays() + " " + CountText.noun(duration.toDays(), "day");
    }

    /** Returns a general name (RFC 5280, 4.2.1.6) as text. The JDK represents a general name as a tag and a value. */
    private static String name(List<?> name) {
        return name.get(1) instanceof String value ? SafeText.line(value) : "(a name of type " + name.getFirst() + ")";
    }
}
