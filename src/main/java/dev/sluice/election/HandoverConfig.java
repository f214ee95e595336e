package dev.sluice.election;

import java.time.Duration;

/**
 * The rules by which a holder hands the lease over to a newer revision.
 *
 * @param heartbeatPeriod how often a candidate announces itself
 * @param requiredHeartbeats how many heartbeats in a row a candidate needs
 * @param heartbeatTimeout a candidate is considered gone after so long without a heartbeat
 * @param minimumTenure how long a holder keeps the lease before it hands it over
 * @param backoff how long a revision that lost the lease again does not get it once more
 */
public record HandoverConfig(
        Duration heartbeatPeriod,
        int requiredHeartbeats,
        Duration heartbeatTimeout,
        Duration minimumTenure,
        Duration backoff) {

    /**
     * With four heartbeats of 3 s, a process that ends within 10 s after it knows the cluster gets no lease. The
     * timeout of 10 s means three lost heartbeats. The tenure of 60 s covers the wait of 34 s and the second in which
     * the Deployment ends the pods of the old revision, so that a late replica of the old revision is gone before it
     * could acquire the lease. The backoff of 10 min is twice the longest backoff of kubelet, so that a revision that
     * crashes whenever it decides does not cause a handover at each of its starts.
     */
    public static final HandoverConfig DEFAULT = new HandoverConfig(
            Duration.ofSeconds(3), 4, Duration.ofSeconds(10), Duration.ofSeconds(60), Duration.ofMinutes(10));
}
