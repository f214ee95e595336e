package dev.sluice.bus;

/**
 * Reports whether this gateway makes decisions now.
 *
 * @param blockedBy the sentence that says why this gateway makes no decisions; empty if it makes decisions
 */
public record DecisionGateMessage(String blockedBy) {

    public static final DecisionGateMessage NOW = new DecisionGateMessage("");

    public boolean now() {
        return blockedBy.isEmpty();
    }
}
