package dev.sluice.watch;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;

/** When to list again. Has one owner. */
final class Relisting {

    /** Lists take at most a tenth of the time, so that an API server in trouble is not asked for everything again. */
    private static final int LISTS_SHARE = 10;

    private final FreshnessProbe horizon;
    private final InstantSource clock;
    private final Duration listAfter;
    private Instant began = Instant.EPOCH;
    private Instant notBefore = Instant.EPOCH;

    /** @param listAfter as in {@link Pace.Proof} */
    Relisting(FreshnessProbe horizon, InstantSource clock, Duration listAfter) {
        this.horizon = horizon;
        this.clock = clock;
        this.listAfter = listAfter;
    }

    void listBegins() {
        began = clock.instant();
    }

    void listEnds() {
        Instant now = clock.instant();
        notBefore = now.plus(Duration.between(began, now).multipliedBy(LISTS_SHARE));
    }

    /** The next list need not wait: nothing is wrong with the API server. */
    void atOnce() {
        notBefore = Instant.EPOCH;
    }

    /** A list would not follow the last one too closely. */
    boolean isAllowed() {
        return !clock.instant().isBefore(notBefore);
    }

    /** Watch and reads have proved nothing for so long that a list must. */
    boolean isDue() {
        boolean rested = !clock.instant().isBefore(began.plus(listAfter.dividedBy(2)));
        return rested && isAllowed() && horizon.isOlderThan(listAfter);
    }

    Instant now() {
        return clock.instant();
    }
}
