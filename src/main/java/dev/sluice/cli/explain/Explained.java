package dev.sluice.cli.explain;

import dev.sluice.cli.manifest.Manifest;
import dev.sluice.explain.Explanation;
import dev.sluice.verdict.Verdict;

/** The explanation of one object of the user. */
sealed interface Explained {

    Manifest manifest();

    String namespace();

    /** The gateway decides about its pods. */
    record Decided(Manifest manifest, String namespace, Explanation explanation) implements Explained {}

    /** The gateway admits it unread. {@code what} says what it is, for example {@code UPDATE of apps/v1/Deployment}. */
    record Passed(Manifest manifest, String namespace, String what) implements Explained {}

    default boolean isDenied() {
        return this instanceof Decided decided && decided.explanation().verdict() instanceof Verdict.Denied;
    }
}
