package dev.sluice.replication;

/**
 * A decision that reserves something. It replaces entries with the same stamp or the same uid.
 *
 * @param term the term in which it was decided
 * @param stamp identifies the reservation
 * @param uid the uid of the review
 * @param change what a replica does to its ledger
 */
public record LogEntry<C>(long term, String stamp, String uid, C change) {}
