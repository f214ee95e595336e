package dev.sluice.kube.client;

import java.time.Duration;
import java.util.random.RandomGenerator;

/**
 * Computes waiting times with exponential backoff and jitter. The jitter prevents several gateways from repeating
 * requests at the same time. This class is not thread-safe.
 */
public final class ApiServerBackoff {

    private final Duration initial;
    private final Duration max;
    private final RandomGenerator random;
    private Duration next;

    public ApiServerBackoff(Duration initial, Duration max, RandomGenerator random) {
        this.initial = initial;
        this.max = max;
        this.random = random;
        this.next = initial;
    }

    /**
     * Returns a random duration between half of the current backoff and the whole backoff. The backoff doubles for the
     * next call.
     */
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
