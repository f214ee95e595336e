package dev.sluice.tls.selfmanaged;

import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;

/**
 * Remembers for each authority when this replica first saw it in the caBundle. An authority that is removed is
 * forgotten. This class is not thread-safe.
 */
final class CaBundleMemory {

    private Map<String, Instant> since = Map.of();

    CaBundleAuthorities seen(WebhookCaBundle trust, Instant now) {
        Map<String, Instant> next = new HashMap<>();
        for (X509Certificate authority : trust.authorities()) {
            String id = CertificateFingerprint.of(authority);
            next.put(id, since.getOrDefault(id, now));
        }
        since = Map.copyOf(next);
        return new CaBundleAuthorities(since, trust.integrity());
    }
}
