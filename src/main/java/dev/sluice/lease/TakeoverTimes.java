package dev.sluice.lease;

import dev.sluice.ledger.Ledger;
import java.time.Duration;

/**
 * The waiting times when another process becomes the holder of the Lease.
 *
 * @param longestCreate the longest time between the admission of a pod and its storage by the API server
 * @param minimumTenure the time for which a holder keeps the Lease before it hands the Lease over to a newer revision
 */
public record TakeoverTimes(Duration longestCreate, Duration minimumTenure) {

    public static final TakeoverTimes REAL =
            new TakeoverTimes(Ledger.LONGEST_CREATE, Handover.HandoverConfig.DEFAULT.minimumTenure());

    /** Returns shorter times, for tests. They are safe only if the API server stores pods faster by the same factor. */
    public TakeoverTimes dividedBy(int divisor) {
        return new TakeoverTimes(longestCreate.dividedBy(divisor), minimumTenure.dividedBy(divisor));
    }
}
