package dev.sluice.bus.message;

/** Whether reviews are decided here at the moment; {@code why} not, empty while they are. */
public record DecisionGate(String why) {

    public static final DecisionGate NOW = new DecisionGate("");

    public boolean now() {
        return why.isEmpty();
    }
}
