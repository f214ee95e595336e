package dev.sluice.replication;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** What the owner of a replica has to do, in the order in which it was returned. */
public sealed interface Output<C> {

    /** Send a message. It may be lost. */
    record Send<C>(Member to, Envelope<C> envelope) implements Output<C> {}

    /**
     * Read the Lease. Requests are answered with their number; an answer that comes after another request is ignored.
     */
    record ReadLease<C>(long request) implements Output<C> {}

    /**
     * Replace the Lease if it still has this version.
     *
     * @param basis the version; null if the Lease is to be created
     */
    record WriteLease<C>(long request, @Nullable String basis, InSyncRecord content) implements Output<C> {}

    /**
     * Apply an entry of the holder to the ledger.
     *
     * @param replaced the entries that it replaces
     */
    record ApplyEntry<C>(LogEntry<C> entry, List<LogEntry<C>> replaced) implements Output<C> {}

    /** Send the answer of this decision to its caller. */
    record ReleaseAnswer<C>(String stamp) implements Output<C> {}

    /** Do not send the answer of this decision: this replica is not the holder any more. Ask the new holder instead. */
    record AbandonAnswer<C>(String stamp) implements Output<C> {}
}
