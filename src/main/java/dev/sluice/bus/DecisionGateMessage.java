package dev.sluice.bus;

/**
 * Reports whether this gateway can answer reviews now. It can answer them if it makes decisions itself, or if it knows
 * another replica that does.
 *
 * @param blockedBy the reason why this gateway answers no reviews, as a sentence; empty if it answers reviews
 * @param decidesHere true if this gateway makes the decisions itself
 */
public record DecisionGateMessage(String blockedBy, boolean decidesHere) {

    /** This gateway makes decisions. */
    public static final DecisionGateMessage NOW = new DecisionGateMessage("");

    /** Another replica makes the decisions, and this gateway forwards reviews to it. */
    public static final DecisionGateMessage ELSEWHERE = new DecisionGateMessage("", /* decidesHere= */ false);

    /**
     * Creates the message of a gateway that does not forward reviews. If {@code blockedBy} is empty, the gateway makes
     * decisions itself. Otherwise it answers no reviews.
     */
    public DecisionGateMessage(String blockedBy) {
        this(blockedBy, blockedBy.isEmpty());
    }

    public boolean now() {
        return blockedBy.isEmpty();
    }
}
