package dev.sluice.bus;

import dev.sluice.replication.Member;
import dev.sluice.replication.ReplicatedDecision;
import dev.sluice.replication.ReplicationEnvelope;

/** A message of the replication protocol that this replica sends to another one. The message may be lost on the way. */
public record OutboxMessage(Member to, ReplicationEnvelope<ReplicatedDecision> envelope) {}
