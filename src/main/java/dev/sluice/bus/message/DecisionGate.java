package dev.sluice.bus.message;

/** Whether reviews are decided here at the moment. {@code why} says why not, and is empty if they are. */
public record DecisionGate(String blockedBy) {

    public static final DecisionGate NOW = new DecisionGate("");

    public boolean now() {
        return blockedBy.isEmpty();
    }
}
