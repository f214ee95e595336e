package dev.sluice.management;

import dev.sluice.log.TokenBucket;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.SequencedMap;

/**
 * Limits the requests of tenants, which are clients that may read about one namespace only. Each namespace has its own
 * limits, so that one tenant cannot delay the others. A request counts from the check of its token until its answer has
 * been written. Only one event loop may use it.
 */
final class TenantRequestLimit {

    /** The maximum number of requests of one namespace that are handled at the same time. */
    static final int MOST_AT_ONCE = 2;

    /** The maximum number of requests of all tenants that are handled at the same time. */
    static final int MOST_OF_ALL = 32;

    /**
     * The number of requests a second that a namespace may send. After a pause, it may send {@link #BURST} requests at
     * once.
     */
    static final double A_SECOND = 2;

    static final double BURST = 10;

    /**
     * The maximum number of namespaces whose rate is remembered. If there are more, the one whose last request is the
     * oldest is forgotten.
     */
    private static final int MOST_NAMESPACES = 1_024;

    private final InstantSource clock;
    private final SequencedMap<String, TokenBucket> rates = new LinkedHashMap<>();
    private final Map<String, Integer> underWay = new HashMap<>();
    private int all;

    TenantRequestLimit(InstantSource clock) {
        this.clock = clock;
    }

    /**
     * Returns true if a request of the namespace may be handled now. It then counts until {@link #end} is called.
     * Returns false if the namespace has to wait.
     */
    boolean begin(String namespace) {
        if (all >= MOST_OF_ALL
                || underWay.getOrDefault(namespace, 0) >= MOST_AT_ONCE
                || !rate(namespace).takeIfAny(clock.instant())) {
            return false;
        }
        all++;
        underWay.merge(namespace, 1, Integer::sum);
        return true;
    }

    /** Ends a request for which {@link #begin} has returned true. */
    void end(String namespace) {
        all--;
        underWay.computeIfPresent(namespace, (_, count) -> count == 1 ? null : count - 1);
    }

    private TokenBucket rate(String namespace) {
        Instant now = clock.instant();
        TokenBucket known = rates.remove(namespace);
        TokenBucket rate = known == null ? new TokenBucket(A_SECOND, BURST, now) : known;
        var _ = rates.putLast(namespace, rate);
        if (rates.size() > MOST_NAMESPACES) {
            var _ = rates.pollFirstEntry();
        }
        return rate;
    }
}
