package dev.sluice.record;

/**
 * A decision with its number.
 *
 * @param number the number of the decision since the start of the process, beginning with 1
 */
public record NumberedDecisionRecord(long number, DecisionRecord decision) implements StreamEvent {}
