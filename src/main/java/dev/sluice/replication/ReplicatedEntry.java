package dev.sluice.replication;

/**
 * A decision that reserves devices. It replaces the entries with the same stamp or the same uid.
 *
 * @param term the term in which the decision was made
 * @param stamp identifies the reservation
 * @param uid the uid of the review
 * @param change the change that a replica makes to its ledger
 */
public record ReplicatedEntry<C>(long term, String stamp, String uid, C change) {}
