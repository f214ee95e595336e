package dev.sluice.bus.message;

/**
 * What the owner of the ledger tells the election.
 *
 * @param able whether it knows enough of the cluster to decide, if it had the lease
 * @param heard what it was last told of the lease, and follows
 */
public record Fitness(boolean able, LeaseState heard) {

    /** Of an owner that has not been heard yet. */
    public static final Fitness UNKNOWN = new Fitness(/* able= */ false, new LeaseState.Standby(""));
}
