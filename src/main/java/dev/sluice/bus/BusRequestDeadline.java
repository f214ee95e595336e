package dev.sluice.bus;

import java.time.Duration;

/**
 * The time after which nobody waits for the answer to a request.
 *
 * @param nanos the time as a value of {@code System.nanoTime()}, which is the same for all threads of a process
 */
public record BusRequestDeadline(long nanos) {

    private static final long NANOS_PER_MILLI = 1_000_000;

    public static BusRequestDeadline in(Duration duration) {
        return new BusRequestDeadline(System.nanoTime() + duration.toNanos());
    }

    public boolean isOver() {
        return nanos - System.nanoTime() < 0;
    }

    /** Returns the earlier of this deadline and the time {@code most} from now. */
    public BusRequestDeadline within(Duration most) {
        BusRequestDeadline other = in(most);
        return nanos - other.nanos < 0 ? this : other;
    }

    /** Returns the time until the deadline in milliseconds. It is at least 1, because a timer cannot be shorter. */
    public long leftMillis() {
        return Math.max(1, (nanos - System.nanoTime()) / NANOS_PER_MILLI);
    }
}
