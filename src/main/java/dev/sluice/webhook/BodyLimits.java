package dev.sluice.webhook;

import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * How large one body may be, and all unfinished bodies of one event loop together. Mutable, owned by one gateway
 * verticle.
 */
final class BodyLimits {

    /**
     * Of all loops together. A body is held twice as bytes and once as characters while it is read, which is four times
     * its size, so this may take two thirds of the launcher's 192 MiB of heap.
     */
    private static final long ALL_LOOPS_BYTES = 32L * 1024 * 1024;

    private final long mostBytes;
    private final long budget;
    private final Set<ReviewBody> unfinished = new HashSet<>();
    private long taken;

    BodyLimits(long mostBytes, int loops) {
        this.mostBytes = mostBytes;
        this.budget = Math.max(mostBytes, ALL_LOOPS_BYTES / loops);
    }

    long mostBytes() {
        return mostBytes;
    }

    void begun(ReviewBody body) {
        unfinished.add(body);
    }

    /** The body is read, or will never be. */
    void ended(ReviewBody body, long bytes) {
        unfinished.remove(body);
        taken -= bytes;
    }

    /** Nobody can wait for these any more. */
    void refuseUnfinished() {
        List.copyOf(unfinished).forEach(ReviewBody::refuseAsStopping);
    }

    /** False when there is no room for so many bytes more. */
    boolean take(long bytes) {
        boolean room = taken + bytes <= budget;
        taken += room ? bytes : 0;
        return room;
    }
}
