package dev.sluice.replication;

import java.util.List;

/** What one replica tells another. */
public sealed interface ReplicaMessage<C> {

    /**
     * The entries of the holder's log that follow a position. The holder sends it regularly even without entries, so it
     * is the heartbeat, too.
     *
     * @param after the position that the receiver must have reached
     * @param upTo the position that it has reached then. Positions between whose entries are missing were replaced, or
     *     the holder has seen their pods.
     * @param inSync true if the receiver had everything that matters, and the holder has waited for it since then
     */
    record EntryBatch<C>(long term, long after, long upTo, List<LogEntry<C>> entries, boolean inSync)
            implements ReplicaMessage<C> {

        public EntryBatch {
            entries = List.copyOf(entries);
        }
    }

    /**
     * The answer to {@link EntryBatch}.
     *
     * @param upTo the position up to which the sender has everything; −1 if it has not begun
     * @param settled the position whose receipt its watch has passed: it has seen each pod that the holder had seen
     *     when it sent this position
     * @param inSync true if the sender was told that it is in sync
     * @param current true if the sender could decide, because its view of the cluster is current
     */
    record Acknowledgement<C>(long term, long upTo, long settled, boolean inSync, boolean current)
            implements ReplicaMessage<C> {}

    /**
     * The answer to a holder whose term is over.
     *
     * @param term the highest term that the sender has seen; 0 if it only does not understand the version
     */
    record TermRefusal<C>(long term) implements ReplicaMessage<C> {}

    /** A replica that is not in the in-sync set asks the holder for its entries. */
    record JoinRequest<C>() implements ReplicaMessage<C> {}

    /** The former holder tells its successor to read the Lease. */
    record HandoverNotice<C>(long term) implements ReplicaMessage<C> {}
}
