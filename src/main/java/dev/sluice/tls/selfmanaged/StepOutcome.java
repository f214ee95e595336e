package dev.sluice.tls.selfmanaged;

import java.time.Instant;

/** The result of one step of the {@link Rotator}. */
sealed interface StepOutcome {

    /** The step wrote an object, or another writer was faster. The next step is due now. */
    record LookAgain() implements StepOutcome {}

    /** The gateway has to serve this certificate from now on. */
    record ServeNow(Identity identity) implements StepOutcome {}

    /** Nothing is due until this moment, unless the Secret or the caBundle changes. */
    record Idle(Instant until) implements StepOutcome {}
}
