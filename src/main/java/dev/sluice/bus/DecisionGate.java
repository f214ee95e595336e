package dev.sluice.bus;

/**
 * Says whether this gateway makes decisions now.
 *
 * @param blockedBy the sentence that says why it makes no decisions; empty if it makes them
 */
public record DecisionGate(String blockedBy) {

    public static final DecisionGate NOW = new DecisionGate("");

    public boolean now() {
        return blockedBy.isEmpty();
    }
}
