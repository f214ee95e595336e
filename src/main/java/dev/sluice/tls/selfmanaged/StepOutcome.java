package dev.sluice.tls.selfmanaged;

import java.time.Instant;

/** What became of one step of the {@link Rotator}. */
sealed interface StepOutcome {

    /** Something was written, or somebody else wrote first: the next step is due now. */
    record LookAgain() implements StepOutcome {}

    /** This pair is to be served from now on. */
    record ServeNow(Identity identity) implements StepOutcome {}

    /** Nothing is due until then, unless the Secret or the caBundle changes. */
    record Idle(Instant until) implements StepOutcome {}
}
