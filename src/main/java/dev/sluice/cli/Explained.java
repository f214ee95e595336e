package dev.sluice.cli;

import dev.sluice.admission.Explanation;
import dev.sluice.admission.Verdict;
import dev.sluice.cli.manifest.Manifest;

/** What would become of one object of the user's. */
sealed interface Explained {

    Manifest manifest();

    String namespace();

    /** The gateway decides about its pods. */
    record Decided(Manifest manifest, String namespace, Explanation explanation) implements Explained {}

    /**
     * The gateway lets it pass without a look; {@code what} says what it is, such as {@code UPDATE of
     * apps/v1/Deployment}.
     */
    record Passed(Manifest manifest, String namespace, String what) implements Explained {}

    default boolean isDenied() {
        return this instanceof Decided decided && decided.explanation().verdict() instanceof Verdict.Denied;
    }
}
