package dev.sluice.lease;

import java.time.Duration;

/**
 * The durations of the leader election, with the names of client-go.
 *
 * @param leaseDuration how long others wait after they have seen a renewal; it is written into the lease
 * @param renewDeadline how long the holder decides after it has asked for a renewal; it is less than leaseDuration
 * @param retryPeriod the pause between two attempts to renew or acquire the lease
 * @param requestTimeout how long a request to the API server may take
 */
record LeaderElectionConfig(
        Duration leaseDuration, Duration renewDeadline, Duration retryPeriod, Duration requestTimeout) {

    /**
     * The control plane's own components use 15 s and 10 s. A change of the holder costs a wait of 34 s and more
     * (decision 7), so that a shorter lease would not help. Clocks whose speeds differ by less than a half (15/10)
     * cannot make two holders. Two requests that hang (1 + 3 s each) leave time for a third within 10 s. With a retry
     * period of one second a released lease is found soon, and an API server does not notice the load.
     */
    public static final LeaderElectionConfig DEFAULT = new LeaderElectionConfig(
            Duration.ofSeconds(15), Duration.ofSeconds(10), Duration.ofSeconds(1), Duration.ofSeconds(3));

    public LeaderElectionConfig {
        if (renewDeadline.compareTo(leaseDuration) >= 0) {
            throw new IllegalArgumentException("a holder must stop deciding before others may take over");
        }
    }
}
