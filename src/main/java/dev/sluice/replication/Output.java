package dev.sluice.replication;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One action for the owner of a replica. The owner has to carry out the actions in the order in which they were
 * returned.
 */
public sealed interface Output<C> {

    /** Send a message. It may be lost. */
    record Send<C>(Member to, Envelope<C> envelope) implements Output<C> {}

    /**
     * Read the Lease. The owner passes the number of the request back with the answer. The replica ignores an answer
     * that comes after its next request.
     */
    record ReadLease<C>(long request) implements Output<C> {}

    /**
     * Replace the Lease if its version is still {@code basis}.
     *
     * @param basis the expected version of the Lease; null if the Lease is to be created
     */
    record WriteLease<C>(long request, @Nullable String basis, InSyncRecord content) implements Output<C> {}

    /**
     * Apply an entry of the holder to this replica's ledger.
     *
     * @param replaced the entries that the new entry replaces
     */
    record ApplyEntry<C>(ReplicatedEntry<C> entry, List<ReplicatedEntry<C>> replaced) implements Output<C> {}

    /**
     * End the reservation of an entry that the holder does not have. Either no caller got the answer, or the pod was
     * seen.
     */
    record ForgetEntry<C>(ReplicatedEntry<C> entry) implements Output<C> {}

    /** Send the answer of this decision to its caller. */
    record ReleaseAnswer<C>(String stamp) implements Output<C> {}

    /**
     * Do not send the answer of this decision: this replica is not the holder any more. Ask the new holder for a
     * decision instead.
     */
    record AbandonAnswer<C>(String stamp) implements Output<C> {}
}
