package dev.sluice.log;

import java.time.Duration;
import java.time.Instant;

/**
 * Limits a rate with a token bucket: it permits {@code perSecond} actions a second, and a burst of at most {@code most}
 * after a pause. It is not thread-safe.
 */
public final class TokenBucket {

    private static final double NANOS = 1e9;

    private final double perSecond;
    private final double most;
    private double tokens;
    private Instant counted;

    /** Creates a full bucket. */
    public TokenBucket(double perSecond, double most, Instant now) {
        this.perSecond = perSecond;
        this.most = most;
        this.tokens = most;
        this.counted = now;
    }

    /** Takes one token and returns true if the bucket contains one. Returns false otherwise. */
    public boolean takeIfAny(Instant now) {
        refill(now);
        if (tokens < 1) {
            return false;
        }
        tokens--;
        return true;
    }

    private void refill(Instant now) {
        double passed = Math.max(0, Duration.between(counted, now).toNanos() / NANOS);
        tokens = Math.min(most, tokens + passed * perSecond);
        counted = now;
    }

    /**
     * Takes one token, and returns how long the caller has to wait before the action. The wait is zero if the bucket
     * contained a token. Otherwise it ends when the token is produced.
     */
    public Duration take(Instant now) {
        refill(now);
        tokens--;
        return tokens >= 0 ? Duration.ZERO : Duration.ofNanos((long) (-tokens / perSecond * NANOS));
    }
}
