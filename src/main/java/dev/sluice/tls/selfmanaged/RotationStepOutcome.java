package dev.sluice.tls.selfmanaged;

import java.time.Duration;

/** The result of a step of the {@link Rotator}. */
sealed interface RotationStepOutcome {

    /**
     * The Secret or the caBundle has changed, so the next step is due now. This replica has changed it, or another
     * writer was faster.
     */
    record LookAgain() implements RotationStepOutcome {}

    /** The gateway has to serve this certificate from now on. */
    record ServeNow(SelfManagedIdentity identity) implements RotationStepOutcome {}

    /** No step is due for this time, unless the Secret or the caBundle changes. */
    record Idle(Duration pause) implements RotationStepOutcome {}
}
