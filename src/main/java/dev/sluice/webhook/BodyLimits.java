package dev.sluice.webhook;

/**
 * How large one body may be, and all unfinished bodies of one event loop together. Mutable, owned by one gateway
 * verticle.
 */
final class BodyLimits {

    /** Of all loops together; large bodies are rare, and a few at once must not fill the heap. */
    private static final long ALL_LOOPS_BYTES = 64L * 1024 * 1024;

    private final long mostBytes;
    private final long budget;
    private long taken;

    BodyLimits(long mostBytes, int loops) {
        this.mostBytes = mostBytes;
        this.budget = Math.max(mostBytes, ALL_LOOPS_BYTES / loops);
    }

    long mostBytes() {
        return mostBytes;
    }

    /** False when there is no room for so many bytes more. */
    boolean take(long bytes) {
        boolean room = taken + bytes <= budget;
        taken += room ? bytes : 0;
        return room;
    }

    void giveBack(long bytes) {
        taken -= bytes;
    }
}
