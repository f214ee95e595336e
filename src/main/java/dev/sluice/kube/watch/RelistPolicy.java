package dev.sluice.kube.watch;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;

/** Decides when the reflector may relist, and when it must. Has one owner. */
final class RelistPolicy {

    /** Lists take at most a tenth of the time, so that an API server in trouble is not asked for everything again. */
    private static final int LIST_TIME_SHARE = 10;

    private final FreshnessProbe freshness;
    private final InstantSource clock;
    private final Duration relistAfter;
    private Instant lastListStart = Instant.EPOCH;
    private Instant earliestList = Instant.EPOCH;

    /** @param relistAfter as in {@link ReflectorTimings.FreshnessChecks} */
    RelistPolicy(FreshnessProbe freshness, InstantSource clock, Duration relistAfter) {
        this.freshness = freshness;
        this.clock = clock;
        this.relistAfter = relistAfter;
    }

    void listBegins() {
        lastListStart = clock.instant();
    }

    void listEnds() {
        Instant now = clock.instant();
        earliestList = now.plus(Duration.between(lastListStart, now).multipliedBy(LIST_TIME_SHARE));
    }

    /** The next list need not wait, because nothing is wrong with the API server. */
    void allowAtOnce() {
        earliestList = Instant.EPOCH;
    }

    boolean isAllowed() {
        return !clock.instant().isBefore(earliestList);
    }

    /** Neither the watch nor the reads have proved freshness for so long that a list has to. */
    boolean isDue() {
        boolean rested = !clock.instant().isBefore(lastListStart.plus(relistAfter.dividedBy(2)));
        return rested && isAllowed() && freshness.isOlderThan(relistAfter);
    }

    Instant now() {
        return clock.instant();
    }
}
