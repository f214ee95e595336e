package dev.sluice.replication;

/**
 * A record as the API server stores it.
 *
 * @param version what a write must name to replace exactly this record: the resourceVersion and uid of the Lease
 * @param intact false if its checksum does not match, because somebody has edited it. Nobody is in sync by such a
 *     record.
 */
public record StoredRecord(String version, InSyncRecord content, boolean intact) {}
