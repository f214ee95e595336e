package dev.sluice.doctor;

import java.io.Serial;
import java.util.Optional;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * Measures how long rules take, and aborts a rule that takes too long. The time depends on objects that users create,
 * so a user could make a rule slow on purpose. Rules call {@link #check} in their loops over objects. Only one thread
 * may use an instance.
 */
final class RuleTime {

    /**
     * The instance for the rule that runs on this thread. If there is no instance, rules may take any amount of time.
     */
    private static final ScopedValue<RuleTime> RUNNING = ScopedValue.newInstance();

    /** The clock is read once in this number of calls of {@link #check}, because reading it takes a microsecond. */
    private static final int CHECKS_BETWEEN_LOOKS = 256;

    /** Ends a rule that has taken too long. */
    private static final class TimeUp extends RuntimeException {

        @Serial
        private static final long serialVersionUID = 1;

        TimeUp() {
            super("a rule took too long", null, /* enableSuppression= */ false, /* writableStackTrace= */ false);
        }
    }

    private final LongSupplier nanos;
    private final long longest;
    private long end;
    private int checks;

    RuleTime(DiagnosisLimits limits) {
        nanos = limits.nanos();
        longest = limits.rule().toNanos();
    }

    /** Returns a time in nanoseconds. Only the difference between two such times is meaningful. */
    long now() {
        return nanos.getAsLong();
    }

    /** Returns the result of a rule; empty if the rule took too long. */
    <T> Optional<T> within(Supplier<T> rule) {
        end = now() + longest;
        try {
            return Optional.of(ScopedValue.where(RUNNING, this).call(rule::get));
        } catch (TimeUp tooLong) {
            return Optional.empty();
        }
    }

    /** Aborts the rule that runs on this thread if it has taken too long. */
    static void check() {
        if (RUNNING.isBound()) {
            RUNNING.get().look();
        }
    }

    private void look() {
        checks++;
        if (checks % CHECKS_BETWEEN_LOOKS == 0 && now() - end > 0) {
            throw new TimeUp();
        }
    }
}
