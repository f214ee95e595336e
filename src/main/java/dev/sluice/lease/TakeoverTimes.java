package dev.sluice.lease;

import dev.sluice.ledger.Ledger;
import java.time.Duration;

/**
 * The waits of a change of the holder.
 *
 * @param longestCreate how long a pod that was decided about may take to be stored
 * @param minimumTenure how long a holder keeps the lease before it hands it over to a newer revision
 */
public record TakeoverTimes(Duration longestCreate, Duration minimumTenure) {

    public static final TakeoverTimes REAL =
            new TakeoverTimes(Ledger.LONGEST_CREATE, Handover.HandoverConfig.DEFAULT.minimumTenure());

    /** Shorter waits are safe only if every pod is stored as soon, so they are for tests. */
    public TakeoverTimes dividedBy(int divisor) {
        return new TakeoverTimes(longestCreate.dividedBy(divisor), minimumTenure.dividedBy(divisor));
    }
}
