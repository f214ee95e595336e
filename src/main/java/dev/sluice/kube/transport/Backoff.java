package dev.sluice.kube.transport;

import java.time.Duration;
import java.util.random.RandomGenerator;

/** Growing pauses with jitter, so that many gateways do not come back at the same moment. Has one owner. */
public final class Backoff {

    private final Duration initial;
    private final Duration max;
    private final RandomGenerator random;
    private Duration next;

    public Backoff(Duration shortest, Duration longest, RandomGenerator random) {
        this.initial = shortest;
        this.max = longest;
        this.random = random;
        this.next = shortest;
    }

    /** Between half of the pause that is due and all of it; the one after that is twice as long. */
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
