package dev.sluice.it;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;

/** Waits for something to become true in another process, and says what was missing when it does not. */
final class Eventually {

    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final long SHORTEST_PAUSE_NANOS = Duration.ofMillis(20).toNanos();

    private Eventually() {}

    interface Look<T> {
        Optional<T> look() throws Exception;
    }

    interface Check {
        boolean holds() throws Exception;
    }

    static void holds(String what, Check check) {
        holds(() -> what, check);
    }

    static void holds(Supplier<String> what, Check check) {
        var _ = await(what, PATIENCE, looking(check));
    }

    /** The same, where it matters how soon. */
    static void within(Duration patience, String what, Check check) {
        var _ = await(() -> what, patience, looking(check));
    }

    /** The opposite: it is so now, and stays so for that long. */
    static void stays(Duration length, String what, Check check) throws Exception {
        long end = System.nanoTime() + length.toNanos();
        while (System.nanoTime() < end) {
            if (!check.holds()) {
                throw new AssertionError("not any more: " + what);
            }
            LockSupport.parkNanos(SHORTEST_PAUSE_NANOS);
        }
    }

    static <T> T found(String what, Look<T> look) {
        return await(() -> what, PATIENCE, look);
    }

    private static Look<Boolean> looking(Check check) {
        return () -> check.holds() ? Optional.of(true) : Optional.empty();
    }

    /**
     * Looks until something is there. A look that fails counts as one that finds nothing, and the error says how the
     * last one failed. The pause is twice as long as the look was, because a list of many pods would otherwise keep the
     * API server from what the test waits for.
     */
    private static <T> T await(Supplier<String> what, Duration patience, Look<T> look) {
        long end = System.nanoTime() + patience.toNanos();
        Exception last = null;
        while (true) {
            long begin = System.nanoTime();
            try {
                Optional<T> seen = look.look();
                if (seen.isPresent()) {
                    return seen.get();
                }
                last = null;
            } catch (Exception notYet) {
                last = notYet;
            }
            long now = System.nanoTime();
            if (now > end) {
                throw new AssertionError("not within " + patience.toSeconds() + " s: " + what.get(), last);
            }
            LockSupport.parkNanos(Math.max(SHORTEST_PAUSE_NANOS, 2 * (now - begin)));
        }
    }
}
