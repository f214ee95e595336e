package dev.sluice.app;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/**
 * A clock that shows the time of day at the start of the process plus the time that has passed since then. It never
 * goes back, so no lease becomes longer if an administrator sets the clock of the machine back.
 *
 * <p>This clock jumps forward if the time of day is later than the time that it shows. This happens after the machine
 * was suspended: the measured time stood still, and another replica may have taken the lease. It also happens if an
 * administrator sets the clock of the machine forward. Leases and the data about the cluster are then renewed early,
 * which takes a few seconds.
 */
final class ProcessClock implements InstantSource {

    /** The clock jumps forward if the time of day is ahead of it by more than this tolerance. */
    private static final long TOLERANCE_NANOS = TimeUnit.MILLISECONDS.toNanos(2);

    /**
     * The longest plausible time since the start of the process. A time of day after that is ignored. It is a century,
     * because a machine without a battery for its clock may begin with the year 1970.
     */
    private static final Duration LONGEST = Duration.ofDays(36_500);

    private final InstantSource timeOfDay;
    private final LongSupplier nanoTime;
    private final Instant start;
    private final long startNanos;
    /** The total time for which the machine has been suspended, in nanoseconds. */
    private final AtomicLong suspended = new AtomicLong();

    ProcessClock() {
        this(InstantSource.system(), System::nanoTime);
    }

    ProcessClock(InstantSource timeOfDay, LongSupplier nanoTime) {
        this.timeOfDay = timeOfDay;
        this.nanoTime = nanoTime;
        start = timeOfDay.instant();
        startNanos = nanoTime.getAsLong();
    }

    @Override
    public Instant instant() {
        // The time of day is read first, so that this clock is not too far ahead if the process pauses between the two
        // readings.
        Duration day = Duration.between(start, timeOfDay.instant());
        long passed = nanoTime.getAsLong() - startNanos;
        long ahead = (day.isNegative() || day.compareTo(LONGEST) > 0 ? Duration.ZERO : day).toNanos() - passed;
        long added = suspended.get();
        if (ahead - added > TOLERANCE_NANOS) {
            added = suspended.accumulateAndGet(ahead, Math::max);
        }
        return start.plusNanos(passed + added);
    }
}
