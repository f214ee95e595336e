package dev.sluice.lease;

import dev.sluice.replication.Member;
import dev.sluice.replication.ReplicationTimes;

/**
 * The settings for sharing reservations with other replicas.
 *
 * @param self this process. Its address is empty if no other replica can reach it. Such a process becomes a member of
 *     the in-sync set only if it holds the Lease itself
 */
public record LeaseReplicaSettings(Member self, SharedLease lease, ReplicationTimes times) {

    /** Returns true if this process can exchange messages with other replicas. */
    boolean hasPeers() {
        return !self.address().isEmpty();
    }

    /** Returns the same settings for a process that other replicas reach at this address. */
    public LeaseReplicaSettings at(String address) {
        return new LeaseReplicaSettings(new Member(self.identity(), address), lease, times);
    }
}
