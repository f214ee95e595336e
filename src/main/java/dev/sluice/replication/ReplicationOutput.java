package dev.sluice.replication;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An action that the owner of a replica has to carry out. The owner carries out the actions in the order in which the
 * replica returned them.
 */
public sealed interface ReplicationOutput<C> {

    /** The owner sends a message, which may be lost. */
    record Send<C>(Member to, ReplicationEnvelope<C> envelope) implements ReplicationOutput<C> {}

    /**
     * The owner reads the Lease, and passes the sequence number of the request back with the answer. The replica
     * ignores the answer if it has made another request since then.
     */
    record ReadLease<C>(long request) implements ReplicationOutput<C> {}

    /**
     * The owner replaces the Lease if its version is still {@code basis}.
     *
     * @param basis the expected version of the Lease; null if the Lease is to be created
     */
    record WriteLease<C>(long request, @Nullable String basis, InSyncRecord content) implements ReplicationOutput<C> {}

    /**
     * The owner applies an entry of the holder to the ledger of this replica.
     *
     * @param replaced the entries that the new entry replaces
     */
    record ApplyEntry<C>(ReplicatedEntry<C> entry, List<ReplicatedEntry<C>> replaced) implements ReplicationOutput<C> {}

    /**
     * The owner ends the reservation of an entry that the holder does not have. The entry is not needed: its answer was
     * not sent, or its pod has appeared, or its pod can no longer appear.
     */
    record ForgetEntry<C>(ReplicatedEntry<C> entry) implements ReplicationOutput<C> {}

    /** The owner sends the answer of this decision to the caller of the review. */
    record ReleaseAnswer<C>(String stamp) implements ReplicationOutput<C> {}

    /**
     * The owner does not send the answer of this decision, because this replica is no longer the holder. Instead, it
     * asks the new holder for a decision.
     */
    record AbandonAnswer<C>(String stamp) implements ReplicationOutput<C> {}
}
