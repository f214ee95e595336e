package dev.sluice.replication;

/**
 * A message, with the fields by which the receiver decides whether to accept it.
 *
 * @param version the version of the protocol in which the message is written
 * @param speaks the highest version of the protocol that the sender understands
 * @param cluster identifies the cluster, so that replicas of different clusters ignore each other
 */
public record Envelope<C>(int version, int speaks, String cluster, Member from, ReplicaMessage<C> message) {}
