package dev.sluice.tls.selfmanaged;

import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * The authorities that a replica trusts when another replica presents a certificate. They are the authorities in the
 * Secret and, for a short time, the authorities that were removed from it. After a loss of the Secret, another replica
 * serves a certificate of a removed authority until it has stored this authority again. This class is not thread-safe.
 */
final class SelfManagedPeerAuthorities {

    private final Duration kept;
    private final Map<X509Certificate, Instant> missingSince = new HashMap<>();
    private List<X509Certificate> trusted = List.of();

    SelfManagedPeerAuthorities(Duration kept) {
        this.kept = kept;
    }

    /** Records the authorities that are in the Secret now. */
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
