package dev.sluice.kube.client;

import java.time.Duration;
import java.util.random.RandomGenerator;

/** Exponential backoff with jitter, so that many gateways do not retry at the same moment. Has one owner. */
public final class Backoff {

    private final Duration initial;
    private final Duration max;
    private final RandomGenerator random;
    private Duration next;

    public Backoff(Duration initial, Duration max, RandomGenerator random) {
        this.initial = initial;
        this.max = max;
        this.random = random;
        this.next = initial;
    }

    /** Between half of the current backoff and all of it. Doubles the next one. */
    public Duration next() {
        long millis = next.toMillis();
        Duration doubled = next.multipliedBy(2);
        next = doubled.compareTo(max) > 0 ? max : doubled;
        return Duration.ofMillis(millis / 2 + random.nextLong(millis / 2 + 1));
    }

    public void reset() {
        next = initial;
    }
}
