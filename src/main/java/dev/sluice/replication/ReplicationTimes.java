package dev.sluice.replication;

/**
 * The durations of the replication protocol, in milliseconds. A member is a replica in the in-sync set (the replicas
 * with all decisions). Only {@code renewDeadline}, {@code leaseDuration} and {@code longestCreate} affect correctness.
 * They ensure that a replica outside the set decides only after the former holder has stopped, and the watch has shown
 * the pods of the former holder.
 *
 * @param heartbeat the interval of the holder's messages to each replica while answers wait for acknowledgements
 * @param suspectAfter how long a member waits for a message of the holder before it takes over
 * @param dropAfter how long an acknowledgement may be missing before the holder removes the member from the set
 * @param silentAfter how long a member may send no message before the holder removes it from the set, even if no answer
 *     waits for the member
 * @param renewEvery the interval at which the holder renews the lease and the other replicas read it
 * @param renewDeadline how long the holder may send answers after it sent the last successful renewal
 * @param leaseDuration how long the Lease must be unchanged before replicas outside the set may take it
 * @param longestCreate the longest time between the admission of a pod and its storage by the API server
 * @param readTimeout the longest time for one read of the Lease
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
        long readTimeout) {

    public ReplicationTimes {
        if (renewDeadline >= leaseDuration) {
            throw new IllegalArgumentException("a holder must stop deciding before others may take over");
        }
    }

    /**
     * Returns the interval of the holder's messages while no answer waits for another replica. It is longer than a
     * heartbeat, so that an idle process does not wake up often. A member takes over after three of these messages are
     * missing.
     */
    long restingHeartbeat() {
        return 2 * heartbeat;
    }

    /**
     * Returns how long a leaving holder waits before it hands the lease over. In this time, the holder learns which
     * other replicas are leaving.
     */
    long beforeHandOver() {
        return 2 * heartbeat;
    }

    /**
     * Returns the longest time for one write of the Lease. A write may take longer than a read, because an admission
     * webhook that does not answer can delay each write, often by 3 seconds. The value is the same as in client-go.
     */
    public long writeTimeout() {
        return Math.max(readTimeout, renewDeadline / 2);
    }

    /** Returns the interval at which a replica repeats an acknowledgement that has not changed. */
    long repeatAcknowledgement() {
        return silentAfter / 3;
    }

    /**
     * Returns the times of a gateway. The durations of the lease are those of the Kubernetes control plane components.
     */
    public static ReplicationTimes of(long longestCreate) {
        return new ReplicationTimes(100, 650, 300, 1_000, 2_000, 10_000, 15_000, longestCreate, 3_000);
    }
}
