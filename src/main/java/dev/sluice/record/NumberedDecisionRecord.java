package dev.sluice.record;

/**
 * A decision with its sequence number.
 *
 * @param number the sequence number, which begins with 1 at the start of the process
 */
public record NumberedDecisionRecord(long number, DecisionRecord decision) implements RecordedStreamEvent {}
