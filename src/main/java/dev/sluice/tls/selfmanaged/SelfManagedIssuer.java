package dev.sluice.tls.selfmanaged;

import dev.sluice.tls.CertificateAuthority;
import dev.sluice.tls.CertificateNames;
import dev.sluice.tls.CertificateUse;
import dev.sluice.tls.CertifiedKey;
import dev.sluice.tls.ServerCertificateNames;
import java.net.InetAddress;
import java.security.cert.CertificateParsingException;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Creates authorities and certificates for one use: for the webhook, or for replicas that authenticate to each other.
 * The certificates are valid for {@code names}.
 */
record SelfManagedIssuer(ServerCertificateNames names, RotationTimes times, CertificateUse use) {

    /** The type number of an IP address among subject alternative names (RFC 5280). */
    private static final Integer ADDRESS = 7;

    /** Creates an issuer of certificates for the servers of the gateway. */
    SelfManagedIssuer(ServerCertificateNames names, RotationTimes times) {
        this(names, times, CertificateUse.WEBHOOK);
    }

    /** Creates an issuer of certificates with which replicas authenticate to each other. */
    static SelfManagedIssuer ofPeers(RotationTimes times) {
        return new SelfManagedIssuer(
                new ServerCertificateNames(List.of(CertificateUse.PEER_NAME), List.of()), times, CertificateUse.PEERS);
    }

    public CertificateAuthority authority(Instant now) {
        return CertificateAuthority.create(now, times.authorityLifetime(), use);
    }

    /**
     * Creates a certificate that {@code signer} signs.
     *
     * @param former the certificate that is replaced, if there is one
     */
    public CertifiedKey leaf(CertificateAuthority signer, Optional<CertifiedKey> former, Instant now) {
        return switch (use) {
            case WEBHOOK -> forServers(signer, former, now);
            case PEERS -> signer.issueForPeers(now, times.certificateLifetime());
        };
    }

    /**
     * Creates a server certificate for the names of this issuer. If the former certificate lacks some of these names,
     * its DNS names are added to the new certificate. During a rollout, the old and the new revision of the gateway may
     * have different names. Each would otherwise replace the certificate of the other again and again.
     */
    private CertifiedKey forServers(CertificateAuthority signer, Optional<CertifiedKey> former, Instant now) {
        List<String> kept = former.map(CertifiedKey::certificate)
                .filter(certificate -> !covered(certificate))
                .map(certificate -> CertificateNames.of(certificate).dnsNames())
                .orElse(List.of());
        ServerCertificateNames all = new ServerCertificateNames(
                Stream.concat(names.dnsNames().stream(), kept.stream())
                        .filter(name -> ServerCertificateNames.problems(List.of(name), List.of())
                                .isEmpty())
                        .distinct()
                        .toList(),
                names.addresses());
        return signer.issue(all, now, times.certificateLifetime());
    }

    /** Returns true if the certificate contains all names and addresses of this issuer. */
    public boolean covered(X509Certificate certificate) {
        return CertificateNames.of(certificate).dnsNames().containsAll(names.dnsNames())
                && addresses(certificate)
                        .containsAll(names.addresses().stream()
                                .map(InetAddress::ofLiteral)
                                .toList());
    }

    private static Set<InetAddress> addresses(X509Certificate certificate) {
        try {
            @Nullable Collection<List<?>> alternatives = certificate.getSubjectAlternativeNames();
            return alternatives == null
                    ? Set.of()
                    : alternatives.stream()
                            .filter(name -> Objects.equals(name.getFirst(), ADDRESS))
                            .map(name -> InetAddress.ofLiteral(String.valueOf(name.get(1))))
                            .collect(Collectors.toSet());
        } catch (CertificateParsingException unreadable) {
            return Set.of();
        }
    }
}
