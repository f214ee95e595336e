package dev.sluice.tls.selfmanaged;

import java.time.Instant;
import java.util.Map;

/**
 * The authorities in the caBundle of the webhook, in the form that {@link RotationPlan} uses. They are identified by
 * their fingerprints.
 *
 * @param since for each authority, the time since which this replica has seen it in the caBundle without interruption
 * @param integrity tells whether the caBundle contains certificates and nothing else
 */
public record CaBundleAuthorities(Map<String, Instant> since, Integrity integrity) {

    public CaBundleAuthorities {
        since = Map.copyOf(since);
    }

    /**
     * Tells whether the caBundle is damaged. API servers ignore a damaged caBundle, and then trust no certificate of
     * the gateway.
     */
    public enum Integrity {
        INTACT,
        DAMAGED
    }

    boolean hold(String authority) {
        return integrity == Integrity.INTACT && since.containsKey(authority);
    }
}
