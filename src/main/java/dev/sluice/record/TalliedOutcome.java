package dev.sluice.record;

/** The categories under which the summary counts decisions. */
public enum TalliedOutcome {
    /** The pod gets another resource, a missing limit, or injected resources. */
    CHANGED,
    DENIED,
    /** The pod is created, and waits until the resources that it asks for are offered or free. */
    WAITING,
    /** The pod is created as it was written, and its resources are available. */
    UNCHANGED,
    /** The pod is created as it was written, because it could not be evaluated. */
    UNDECIDED;

    static TalliedOutcome of(DecisionRecord decision) {
        return switch (decision.kind()) {
            case CHANGED -> CHANGED;
            case DENIED -> DENIED;
            case KEPT -> WAITING;
            case UNTOUCHED -> UNDECIDED;
            case UNCHANGED ->
                switch (decision.reason()) {
                    case EXHAUSTED -> WAITING;
                    default -> decision.injection().rule().isPresent() ? CHANGED : UNCHANGED;
                };
        };
    }
}
