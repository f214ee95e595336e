package dev.sluice.lease;

import dev.sluice.ledger.Ledger;
import java.time.Duration;

/**
 * The waiting times at a change of the holder.
 *
 * @param longestCreate the longest time until an admitted pod is stored
 * @param minimumTenure the time for which a holder keeps the lease before it hands it over to a newer revision
 */
public record TakeoverTimes(Duration longestCreate, Duration minimumTenure) {

    public static final TakeoverTimes REAL =
            new TakeoverTimes(Ledger.LONGEST_CREATE, Handover.HandoverConfig.DEFAULT.minimumTenure());

    /** Returns shorter times, for tests. They are safe only if every pod is stored that much sooner. */
    public TakeoverTimes dividedBy(int divisor) {
        return new TakeoverTimes(longestCreate.dividedBy(divisor), minimumTenure.dividedBy(divisor));
    }
}
