package dev.sluice.bus.message;

import java.time.Duration;

/**
 * By when an answer is of use to whoever asked.
 *
 * @param nanos of {@code System.nanoTime()}, which the threads of a process have in common
 */
public record Deadline(long nanos) {

    private static final long NANOS_PER_MILLI = 1_000_000;

    public static Deadline in(Duration duration) {
        return new Deadline(System.nanoTime() + duration.toNanos());
    }

    public boolean isOver() {
        return nanos - System.nanoTime() < 0;
    }

    /** This one, or the end of {@code most} from now where that is earlier. */
    public Deadline within(Duration most) {
        Deadline other = in(most);
        return nanos - other.nanos < 0 ? this : other;
    }

    /** What is left until then; at least a millisecond, which a timer can wait. */
    public long leftMillis() {
        return Math.max(1, (nanos - System.nanoTime()) / NANOS_PER_MILLI);
    }
}
