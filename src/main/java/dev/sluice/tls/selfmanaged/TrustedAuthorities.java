package dev.sluice.tls.selfmanaged;

import java.time.Instant;
import java.util.Map;

/**
 * The authorities in the caBundle of the webhook.
 *
 * @param since when this replica has first seen each of them there, without a break
 * @param integrity whether it holds certificates and nothing else
 */
public record TrustedAuthorities(Map<String, Instant> since, Integrity integrity) {

    public TrustedAuthorities {
        since = Map.copyOf(since);
    }

    /** API servers ignore a caBundle that is damaged, and then they trust nobody. */
    public enum Integrity {
        INTACT,
        DAMAGED
    }

    boolean hold(String authority) {
        return integrity == Integrity.INTACT && since.containsKey(authority);
    }
}
