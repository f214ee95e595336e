package dev.sluice.bus;

/**
 * Reports whether the owner of the ledger could make decisions. The leader election needs this information.
 *
 * @param able true if the owner of the ledger could decide if this process held the Lease
 * @param heard the newest state of the Lease that the owner of the ledger has received
 */
public record FitnessMessage(boolean able, LeaseStateMessage heard) {

    /** The fitness before the first message. */
    public static final FitnessMessage UNKNOWN =
            new FitnessMessage(/* able= */ false, new LeaseStateMessage.Standby(""));
}
