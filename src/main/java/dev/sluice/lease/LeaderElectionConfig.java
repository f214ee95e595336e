package dev.sluice.lease;

import java.time.Duration;

/**
 * The durations of the leader election, named as in client-go.
 *
 * @param leaseDuration how long other candidates wait after they have seen a renewal; it is written into the Lease
 * @param renewDeadline how long the holder may decide after it sent the last successful renewal; less than
 *     leaseDuration
 * @param retryPeriod the pause between two attempts to renew or acquire the lease
 * @param requestTimeout the longest time for one request to the API server
 */
record LeaderElectionConfig(
        Duration leaseDuration, Duration renewDeadline, Duration retryPeriod, Duration requestTimeout) {

    /**
     * The default durations. The components of the control plane use the same 15 s and 10 s. After a change of the
     * holder, the new holder has to wait for at least 34 s anyway (decision 7), so a shorter lease would not help. Two
     * clocks can cause two holders only if one runs at least 1.5 times (15/10) as fast as the other. Two requests that
     * hang (1 + 3 s each) leave time for a third within 10 s. With a retry period of one second, a released lease is
     * found soon, and the load on the API server is small.
     */
    public static final LeaderElectionConfig DEFAULT = new LeaderElectionConfig(
            Duration.ofSeconds(15), Duration.ofSeconds(10), Duration.ofSeconds(1), Duration.ofSeconds(3));

    public LeaderElectionConfig {
        if (renewDeadline.compareTo(leaseDuration) >= 0) {
            throw new IllegalArgumentException("a holder must stop deciding before others may take over");
        }
    }
}
