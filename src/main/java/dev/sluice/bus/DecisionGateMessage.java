package dev.sluice.bus;

/**
 * Reports whether this gateway can answer reviews now. It can answer them if it makes decisions itself, or if it knows
 * another replica that does.
 *
 * @param blockedBy the sentence that says why this gateway answers no reviews; empty if it answers them
 * @param decidesHere true if this gateway makes the decisions itself
 */
public record DecisionGateMessage(String blockedBy, boolean decidesHere) {

    /** This gateway makes decisions. */
    public static final DecisionGateMessage NOW = new DecisionGateMessage("");

    /** Another replica makes the decisions, and this gateway forwards reviews to it. */
    public static final DecisionGateMessage ELSEWHERE = new DecisionGateMessage("", /* decidesHere= */ false);

    /**
     * Creates the message of a gateway that does not forward reviews. It makes decisions itself if {@code blockedBy} is
     * empty, and answers no reviews otherwise.
     */
    public DecisionGateMessage(String blockedBy) {
        this(blockedBy, blockedBy.isEmpty());
    }

    public boolean now() {
        return blockedBy.isEmpty();
    }
}
