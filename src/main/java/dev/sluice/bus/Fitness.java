package dev.sluice.bus;

/**
 * What the owner of the ledger tells the election.
 *
 * @param able whether it could decide if it had the lease
 * @param heard the last state of the lease that it has received, and follows
 */
public record Fitness(boolean able, LeaseState heard) {

    /** The fitness before the first message. */
    public static final Fitness UNKNOWN = new Fitness(/* able= */ false, new LeaseState.Standby(""));
}
