package dev.sluice.bus;

/**
 * Says whether this gateway makes decisions now.
 *
 * @param blockedBy the sentence that says why it makes no decisions; empty if it makes them
 */
public record DecisionGateMessage(String blockedBy) {

    public static final DecisionGateMessage NOW = new DecisionGateMessage("");

    public boolean now() {
        return blockedBy.isEmpty();
    }
}
