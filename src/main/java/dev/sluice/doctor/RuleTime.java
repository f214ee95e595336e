package dev.sluice.doctor;

import java.io.Serial;
import java.util.Optional;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * Measures how long rules take, and gives up a rule that takes too long. Whoever creates the objects of a cluster also
 * chooses how much there is to think about. Loops over objects call {@link #check}. Only one thread may use an
 * instance.
 */
final class RuleTime {

    /** The instance of the rule that runs on this thread. Without one, rules may take any time. */
    private static final ScopedValue<RuleTime> RUNNING = ScopedValue.newInstance();

    /** A clock of the processor time of a thread takes a microsecond, so not each check looks at it. */
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

    /** Returns the time in nanoseconds. Only differences mean something. */
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

    /** Gives up the rule that runs on this thread if it has taken too long. */
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
