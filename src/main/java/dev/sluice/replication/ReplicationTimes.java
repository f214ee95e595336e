package dev.sluice.replication;

/**
 * The durations of the protocol, in milliseconds. Those between members of the in-sync set only decide how soon
 * something happens. Those of the lease protect from replicas that are not in the set.
 *
 * @param heartbeat the period in which the holder speaks to each replica
 * @param suspectAfter the silence of the holder after which a member takes over
 * @param dropAfter the time without a missing acknowledgement after which a member leaves the set
 * @param silentAfter the silence after which a member leaves the set although nothing waits for it
 * @param renewEvery the period in which the holder renews the lease, and the others read it
 * @param renewDeadline the time after the last renewal was sent for which the holder answers
 * @param leaseDuration the time without a change after which others may take the lease
 * @param longestCreate the longest time until an admitted pod is stored
 * @param requestTimeout the longest time for one request to the API server
 */
public record ReplicationTimes(
        long heartbeat,
        long suspectAfter,
        long dropAfter,
        long silentAfter,
        long renewEvery,
        long renewDeadline,
        long leaseDuration,
        long longestCreate,
        long requestTimeout) {

    public ReplicationTimes {
        if (renewDeadline >= leaseDuration) {
            throw new IllegalArgumentException("a holder must stop deciding before others may take over");
        }
    }

    /**
     * Returns the times of a gateway. Six heartbeats are missed before a member takes over. The lease is that of the
     * components of the control plane.
     */
    public static ReplicationTimes of(long longestCreate) {
        return new ReplicationTimes(100, 650, 300, 1_000, 1_000, 10_000, 15_000, longestCreate, 3_000);
    }
}
