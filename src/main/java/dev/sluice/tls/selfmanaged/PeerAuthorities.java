package dev.sluice.tls.selfmanaged;

import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * The authorities that a replica trusts when another replica shows a certificate: those in the Secret, and for a short
 * time those that have left it. If the Secret was lost, another replica may still show a certificate of such an
 * authority, and stores the authority again in this time. Only one thread may use an instance.
 */
final class PeerAuthorities {

    private final Duration kept;
    private final Map<X509Certificate, Instant> missingSince = new HashMap<>();
    private List<X509Certificate> trusted = List.of();

    PeerAuthorities(Duration kept) {
        this.kept = kept;
    }

    /** Takes note of the authorities that are in the Secret now. */
    void seen(List<X509Certificate> stored, Instant now) {
        trusted.forEach(authority -> missingSince.putIfAbsent(authority, now));
        stored.forEach(missingSince::remove);
        missingSince.values().removeIf(since -> since.plus(kept).isBefore(now));
        trusted = Stream.concat(stored.stream(), trusted.stream().filter(missingSince::containsKey))
                .distinct()
                .toList();
    }

    List<X509Certificate> trusted() {
        return trusted;
    }
}
