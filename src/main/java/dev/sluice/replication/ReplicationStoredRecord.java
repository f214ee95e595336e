package dev.sluice.replication;

/**
 * A record of the Lease as the API server stores it.
 *
 * @param version the resourceVersion and uid of the Lease, which a write must contain so that it replaces exactly this
 *     record
 * @param intact false if the checksum of the record does not match, because somebody has edited the record. Such a
 *     record does not prove that any replica is in sync
 */
public record ReplicationStoredRecord(String version, InSyncRecord content, boolean intact) {}
