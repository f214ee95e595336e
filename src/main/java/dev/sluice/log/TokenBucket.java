package dev.sluice.log;

import java.time.Duration;
import java.time.Instant;

/** Limits a rate, and permits a burst after a pause. It is not thread-safe. */
public final class TokenBucket {

    private static final double NANOS = 1e9;

    private final double perSecond;
    private final double most;
    private double tokens;
    private Instant counted;

    /** Creates a full bucket, with {@code most} tokens. */
    public TokenBucket(double perSecond, double most, Instant now) {
        this.perSecond = perSecond;
        this.most = most;
        this.tokens = most;
        this.counted = now;
    }

    /** Takes one token if there is one. Returns false otherwise. */
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

    /** Takes one token, possibly in advance, and returns how long to wait for it. */
    public Duration take(Instant now) {
        refill(now);
        tokens--;
        return tokens >= 0 ? Duration.ZERO : Duration.ofNanos((long) (-tokens / perSecond * NANOS));
    }
}
