package dev.sluice.record;

/**
 * A decision with its number.
 *
 * @param number 1 for the first decision since the start, and one more for each after it
 */
public record KeptDecision(long number, DecisionRecord decision) implements StreamEvent {}
