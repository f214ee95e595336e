package dev.sluice.bus;

/**
 * Whether reviews are decided here at the moment.
 *
 * @param blockedBy a sentence that says why they are not; empty if they are
 */
public record DecisionGate(String blockedBy) {

    public static final DecisionGate NOW = new DecisionGate("");

    public boolean now() {
        return blockedBy.isEmpty();
    }
}
