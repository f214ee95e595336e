package dev.sluice.replication;

import dev.sluice.replication.SimulatedApiServer.PodChange;
import java.util.List;

/** The ledger of one simulated process. All times are those of the process. */
interface SimulatedLedger {

    /**
     * Reserves devices, if they are free when an older reservation for the same review has ended. Otherwise that
     * reservation stays.
     *
     * @param older the stamp of the older reservation; empty if there is none
     */
    boolean reserve(String stamp, String older, int need, long now);

    /** Repeats what the holder has decided. */
    void follow(ReplicatedEntry<Integer> entry, List<ReplicatedEntry<Integer>> replaced, long now);

    void forget(String stamp);

    void see(PodChange change, long number);

    /** Ends the reservations whose pods would have been seen, and returns their stamps. */
    List<String> watched(long upTo);

    boolean isReserved(String stamp);

    /** Returns how many devices are reserved or in use. */
    long used();

    /** Returns the same text as the ledger of another process, if both are equal. */
    String state();
}
