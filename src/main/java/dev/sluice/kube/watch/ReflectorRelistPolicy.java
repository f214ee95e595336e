package dev.sluice.kube.watch;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.TimeUnit;

/**
 * Decides when the reflector may list the objects again, and when it has to. It is not thread-safe.
 *
 * <p>Lists and pauses are measured with {@link System#nanoTime}, because the time of day can jump forward. After a jump
 * by a minute during a list, the next list would otherwise not be allowed for ten minutes.
 */
final class ReflectorRelistPolicy {

    /**
     * The minimum pause after a list, as a multiple of the duration of the list. Lists thus take at most one tenth of
     * the time, so that an overloaded API server does not have to send all objects again and again.
     */
    private static final int LIST_TIME_SHARE = 10;

    /**
     * The maximum pause after a list, in nanoseconds. If a list takes longer than a tenth of this time, the reason is
     * probably that this process was paused or had too little processor time. The next list must not wait for ten times
     * that pause.
     */
    private static final long LONGEST_PAUSE_NANOS = TimeUnit.MINUTES.toNanos(5);

    private final WatchFreshnessProbe freshness;
    private final InstantSource clock;
    private final Duration relistAfter;
    private Instant lastListStart = Instant.EPOCH;
    private long listStartNanos;
    private long earliestListNanos = System.nanoTime();

    /**
     * Creates a policy.
     *
     * @param relistAfter the age of the last proof that the state is current after which the objects are listed again
     */
    ReflectorRelistPolicy(WatchFreshnessProbe freshness, InstantSource clock, Duration relistAfter) {
        this.freshness = freshness;
        this.clock = clock;
        this.relistAfter = relistAfter;
    }

    void listBegins() {
        lastListStart = clock.instant();
        listStartNanos = System.nanoTime();
    }

    void listEnds() {
        long now = System.nanoTime();
        earliestListNanos = now + pauseAfter(now - listStartNanos);
    }

    /** Returns the pause in nanoseconds after a list that took this many nanoseconds. */
    static long pauseAfter(long listNanos) {
        return Math.min(listNanos * LIST_TIME_SHARE, LONGEST_PAUSE_NANOS);
    }

    /**
     * Allows the next list at once. The reflector calls this method when a list is needed although the API server works
     * normally.
     */
    void allowAtOnce() {
        earliestListNanos = System.nanoTime();
    }

    boolean isAllowed() {
        return System.nanoTime() - earliestListNanos >= 0;
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
