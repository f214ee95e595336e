package dev.sluice.bus;

import dev.sluice.replication.Envelope;
import dev.sluice.replication.Member;
import dev.sluice.replication.ReplicatedDecision;

/** A message of the replication protocol that this replica sends to another one. It may be lost. */
public record PeerMessage(Member to, Envelope<ReplicatedDecision> envelope) {}
