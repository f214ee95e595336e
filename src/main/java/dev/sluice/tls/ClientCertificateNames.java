package dev.sluice.tls;

import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import javax.naming.InvalidNameException;
import javax.naming.ldap.LdapName;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.SSLSession;
import org.jspecify.annotations.Nullable;

/**
 * The names that are accepted in client certificates. A certificate is accepted if its common name or one of its DNS
 * names is in the set. There are no wildcards, and the case of DNS names does not matter.
 *
 * @param names the accepted names; if the set is empty, every client certificate that TLS has verified is accepted
 */
public record ClientCertificateNames(Set<String> names) {

    public static final ClientCertificateNames ANY = new ClientCertificateNames(Set.of());

    public ClientCertificateNames {
        names = Set.copyOf(names);
    }

    /**
     * Returns true if the client of this session is accepted.
     *
     * @param session null for a connection without TLS, which is accepted only if the set of names is empty
     */
    public boolean admit(@Nullable SSLSession session) {
        if (names.isEmpty()) {
            return true;
        }
        try {
            return session != null
                    && session.getPeerCertificates().length > 0
                    && admit(session.getPeerCertificates()[0]);
        } catch (SSLPeerUnverifiedException nobody) {
            return false;
        }
    }

    private boolean admit(Certificate certificate) {
        return certificate instanceof X509Certificate known && (bearsCommonName(known) || bearsDnsName(known));
    }

    private boolean bearsCommonName(X509Certificate certificate) {
        try {
            return new LdapName(certificate.getSubjectX500Principal().getName())
                    .getRdns().stream()
                            .filter(part -> part.getType().equalsIgnoreCase("CN"))
                            .anyMatch(part -> part.getValue() instanceof String name && names.contains(name));
        } catch (InvalidNameException unreadable) {
            return false;
        }
    }

    private boolean bearsDnsName(X509Certificate certificate) {
        Set<String> welcome =
                names.stream().map(name -> name.toLowerCase(Locale.ROOT)).collect(Collectors.toSet());
        return CertificateNames.of(certificate).dnsNames().stream().anyMatch(welcome::contains);
    }
}
