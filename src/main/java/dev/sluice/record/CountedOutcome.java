package dev.sluice.record;

/** What a decision does to its pod, as the summary of decisions counts it. */
public enum CountedOutcome {
    /** The pod gets another resource, a missing limit, or what the injection gives. */
    CHANGED,
    DENIED,
    /** The pod is created, and waits until what it asks for is offered or free. */
    WAITING,
    /** The pod is created as it was written, and its resources are there. */
    UNCHANGED,
    /** The pod is created as it was written, because it could not be evaluated. */
    UNDECIDED;

    static CountedOutcome of(DecisionRecord decision) {
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
