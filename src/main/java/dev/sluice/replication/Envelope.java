package dev.sluice.replication;

/**
 * A message with what is needed to refuse it.
 *
 * @param version the version of the protocol in which it is written
 * @param speaks the highest version that its sender understands
 * @param cluster identifies the cluster, so that replicas of two clusters do not mix
 */
public record Envelope<C>(int version, int speaks, String cluster, Member from, ReplicaMessage<C> message) {}
