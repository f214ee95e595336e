package dev.sluice.bus;

import java.time.Duration;

/**
 * The moment after which an answer is of no use.
 *
 * @param nanos the moment as a value of {@code System.nanoTime()}, which is the same for all threads of a process
 */
public record Deadline(long nanos) {

    private static final long NANOS_PER_MILLI = 1_000_000;

    public static Deadline in(Duration duration) {
        return new Deadline(System.nanoTime() + duration.toNanos());
    }

    public boolean isOver() {
        return nanos - System.nanoTime() < 0;
    }

    /** Returns this deadline, or the end of {@code most} from now if that is earlier. */
    public Deadline within(Duration most) {
        Deadline other = in(most);
        return nanos - other.nanos < 0 ? this : other;
    }

    /** Returns the time in milliseconds until the deadline. It is at least 1, because a timer cannot be shorter. */
    public long leftMillis() {
        return Math.max(1, (nanos - System.nanoTime()) / NANOS_PER_MILLI);
    }
}
