package dev.sluice.replication;

/**
 * A message between replicas, with the fields that the receiver checks before it accepts the message.
 *
 * @param version the version of the protocol in which the message is written
 * @param speaks the highest version of the protocol that the sender understands
 * @param cluster identifies the cluster, so that a replica ignores messages from another cluster
 */
public record ReplicationEnvelope<C>(int version, int speaks, String cluster, Member from, ReplicaMessage<C> message) {}
