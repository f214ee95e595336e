package dev.sluice.bus;

/**
 * The state of the ledger's owner that the election needs.
 *
 * @param able true if the owner of the ledger could decide if this process held the lease
 * @param heard the last state of the lease that the owner of the ledger has received and follows
 */
public record Fitness(boolean able, LeaseState heard) {

    /** The fitness until the first message arrives. */
    public static final Fitness UNKNOWN = new Fitness(/* able= */ false, new LeaseState.Standby(""));
}
