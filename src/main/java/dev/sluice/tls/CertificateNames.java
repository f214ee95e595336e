package dev.sluice.tls;

import java.security.cert.CertificateParsingException;
import java.security.cert.X509Certificate;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The DNS names in the subject alternative names of a certificate, in lower case. */
public record CertificateNames(List<String> dnsNames) {

    /** The tag of DNS names in the subject alternative names (RFC 5280). */
    private static final Integer DNS_NAME = 2;

    public CertificateNames {
        dnsNames = List.copyOf(dnsNames);
    }

    /** Returns the names of the certificate. Returns no names if the extension cannot be decoded. */
    public static CertificateNames of(X509Certificate certificate) {
        return new CertificateNames(alternatives(certificate).stream()
                .filter(name -> Objects.equals(name.get(0), DNS_NAME))
                .map(name -> String.valueOf(name.get(1)).toLowerCase(Locale.ROOT))
                .toList());
    }

    private static Collection<List<?>> alternatives(X509Certificate certificate) {
        try {
            @Nullable Collection<List<?>> names = certificate.getSubjectAlternativeNames();
            return names == null ? List.of() : names;
        } catch (CertificateParsingException unreadable) {
            return List.of();
        }
    }

    /**
     * Returns true if the certificate is valid for a server with this host name. A star in a name matches one label
     * (RFC 6125).
     */
    public boolean cover(String host) {
        int dot = host.indexOf('.');
        String wildcard = "*" + (dot < 0 ? "" : host.substring(dot));
        return dnsNames.contains(host) || (dot >= 0 && dnsNames.contains(wildcard));
    }
}
