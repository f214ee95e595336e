package dev.sluice.tls;

import java.security.GeneralSecurityException;
import java.security.cert.CertPathValidator;
import java.security.cert.CertPathValidatorException;
import java.security.cert.CertificateFactory;
import java.security.cert.CertificateParsingException;
import java.security.cert.PKIXParameters;
import java.security.cert.TrustAnchor;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * A certificate chain in the order in which a server sends it. The first certificate belongs to the server. Each
 * further certificate has signed the one before it.
 */
public record CertificatePath(List<X509Certificate> chain) {

    private static final String SERVER_AUTH = "1.3.6.1.5.5.7.3.1";
    private static final String CLIENT_AUTH = "1.3.6.1.5.5.7.3.2";
    private static final String ANY_USAGE = "2.5.29.37.0";

    public CertificatePath {
        chain = List.copyOf(chain);
    }

    /**
     * Returns the reason why a client would reject this chain at {@code now}, by the rules of RFC 5280. Returns empty
     * if a client would accept it. The last certificate is assumed to be trusted and is not checked. The returned text
     * continues a sentence that begins with the name of the file.
     */
    public Optional<String> problem(Instant now) {
        if (!isFor(SERVER_AUTH)) {
            return Optional.of(
                    "is not for servers by its extended key usage; mount the pair of the gateway, not that of"
                            + " a client");
        }
        for (int i = 1; i < chain.size(); i++) {
            if (!isIssuer(chain.get(i), chain.get(i - 1))) {
                return Optional.of("has certificate " + (i + 1) + " behind certificate " + i
                        + ", which it did not sign; put each certificate behind the one that it signed, and leave out"
                        + " others");
            }
        }
        return chain.size() < 2 ? Optional.empty() : invalid(now);
    }

    /** Returns true if the first certificate may be used by servers and by clients. */
    boolean isForServersAndClients() {
        return isFor(SERVER_AUTH) && isFor(CLIENT_AUTH);
    }

    /**
     * Returns true if the first certificate may be used for this purpose. A certificate without the extension for
     * extended key usage may be used for everything (RFC 5280, 4.2.1.12).
     */
    private boolean isFor(String purpose) {
        try {
            List<String> usages = chain.getFirst().getExtendedKeyUsage();
            return usages == null || usages.contains(purpose) || usages.contains(ANY_USAGE);
        } catch (CertificateParsingException unreadable) {
            return false;
        }
    }

    /**
     * Returns true if the key of {@code authority} has signed the certificate, and the certificate names
     * {@code authority} as its issuer.
     */
    public static boolean isIssuer(X509Certificate authority, X509Certificate certificate) {
        try {
            certificate.verify(authority.getPublicKey());
            return authority.getSubjectX500Principal().equals(certificate.getIssuerX500Principal());
        } catch (GeneralSecurityException | RuntimeException notSignedByIt) {
            return false;
        }
    }

    private Optional<String> invalid(Instant now) {
        try {
            PKIXParameters parameters = new PKIXParameters(Set.of(new TrustAnchor(chain.getLast(), null)));
            parameters.setRevocationEnabled(false);
            parameters.setDate(Date.from(now));
            var _ = CertPathValidator.getInstance("PKIX")
                    .validate(
                            CertificateFactory.getInstance("X.509")
                                    .generateCertPath(chain.subList(0, chain.size() - 1)),
                            parameters);
            return Optional.empty();
        } catch (CertPathValidatorException refused) {
            return Optional.of("has a chain that clients refuse at certificate " + (refused.getIndex() + 1) + ": "
                    + refused.getMessage() + "; have it issued again");
        } catch (GeneralSecurityException refused) {
            return Optional.of("has a chain that clients refuse: " + refused.getMessage() + "; have it issued again");
        }
    }
}
