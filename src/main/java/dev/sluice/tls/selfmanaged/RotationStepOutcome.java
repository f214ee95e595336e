package dev.sluice.tls.selfmanaged;

import java.time.Instant;

/** The result of a step of the {@link Rotator}. */
sealed interface RotationStepOutcome {

    /**
     * The Secret or the caBundle was written by this replica or, at the same time, by another writer. The next step is
     * due now.
     */
    record LookAgain() implements RotationStepOutcome {}

    /** The gateway has to serve this certificate from now on. */
    record ServeNow(SelfManagedIdentity identity) implements RotationStepOutcome {}

    /** No step is due until this time, unless the Secret or the caBundle changes. */
    record Idle(Instant until) implements RotationStepOutcome {}
}
