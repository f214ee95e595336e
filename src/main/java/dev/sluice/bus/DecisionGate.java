package dev.sluice.bus;

/**
 * Says whether this gateway decides reviews at the moment.
 *
 * @param blockedBy the sentence that says why it does not decide; empty if it does
 */
public record DecisionGate(String blockedBy) {

    public static final DecisionGate NOW = new DecisionGate("");

    public boolean now() {
        return blockedBy.isEmpty();
    }
}
