package dev.sluice.kube.watch;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;

/** Decides when the reflector may list the objects again, and when it has to. It is not thread-safe. */
final class ReflectorRelistPolicy {

    /**
     * The minimum pause after a list, as a multiple of the duration of the list. Lists thus take at most one tenth of
     * the time, so that an overloaded API server does not have to send all objects again and again.
     */
    private static final int LIST_TIME_SHARE = 10;

    private final WatchFreshnessProbe freshness;
    private final InstantSource clock;
    private final Duration relistAfter;
    private Instant lastListStart = Instant.EPOCH;
    private Instant earliestList = Instant.EPOCH;

    /**
     * Creates a policy.
     *
     * @param relistAfter the objects are listed again if the last proof that the state is current is older than this
     */
    ReflectorRelistPolicy(WatchFreshnessProbe freshness, InstantSource clock, Duration relistAfter) {
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

    /**
     * Allows the next list at once. The reflector calls this method when a list is needed although the API server works
     * normally.
     */
    void allowAtOnce() {
        earliestList = Instant.EPOCH;
    }

    boolean isAllowed() {
        return !clock.instant().isBefore(earliestList);
    }

    /**
     * Returns true if the objects have to be listed to prove that the state is current. This is the case if neither the
     * watch nor the reads of the current resourceVersion have proved it for some time.
     */
    boolean isDue() {
        boolean rested = !clock.instant().isBefore(lastListStart.plus(relistAfter.dividedBy(2)));
        return rested && isAllowed() && freshness.isOlderThan(relistAfter);
    }

    Instant now() {
        return clock.instant();
    }
}
