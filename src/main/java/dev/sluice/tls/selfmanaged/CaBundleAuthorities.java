package dev.sluice.tls.selfmanaged;

import java.time.Instant;
import java.util.Map;

/**
 * The authorities in the caBundle of the webhook, in the form that {@link RotationPlan} uses. They are identified by
 * their fingerprints.
 *
 * @param since for each authority, the time at which this replica first saw it in the caBundle. The time starts again
 *     if the authority was removed in between
 * @param integrity tells whether the caBundle contains certificates and nothing else
 */
public record CaBundleAuthorities(Map<String, Instant> since, Integrity integrity) {

    public CaBundleAuthorities {
        since = Map.copyOf(since);
    }

    /**
     * Tells whether the caBundle is damaged. If it is, API servers ignore all of it, and trust no certificate of the
     * gateway.
     */
    public enum Integrity {
        INTACT,
        DAMAGED
    }

    boolean hold(String authority) {
        return integrity == Integrity.INTACT && since.containsKey(authority);
    }
}
