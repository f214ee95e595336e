package dev.sluice.replication;

import java.util.List;

/** A message from one replica to another. */
public sealed interface ReplicaMessage<C> {

    /**
     * The entries of the holder's log that follow a position. The holder sends this message regularly, even without
     * entries, so it is also the heartbeat.
     *
     * @param after the position that the receiver must have reached before it can use the entries
     * @param upTo the position that the receiver has reached after it has added the entries. A position between
     *     {@code after} and {@code upTo} has no entry if the entry was replaced, or its reservation has ended
     * @param inSync true if the receiver is in sync: it once had all decisions whose pods may still appear, and the
     *     holder has waited for its acknowledgements since then
     */
    record EntryBatch<C>(long term, long after, long upTo, List<ReplicatedEntry<C>> entries, boolean inSync)
            implements ReplicaMessage<C> {

        public EntryBatch {
            entries = List.copyOf(entries);
        }
    }

    /**
     * The answer to {@link EntryBatch}.
     *
     * @param upTo the position up to which the sender has all entries; −1 if it has received none yet
     * @param settled a position that the sender has reached. The sender has seen each pod that the holder had seen when
     *     the holder sent this position, because the sender's watch has delivered everything that was stored before the
     *     position arrived
     * @param inSync true if a message of the holder has said that the sender is in sync
     * @param current true if the sender could decide, because its view of the cluster is current
     */
    record Acknowledgement<C>(long term, long upTo, long settled, boolean inSync, boolean current)
            implements ReplicaMessage<C> {}

    /**
     * The answer to a message that a replica does not accept, usually because the message comes from a holder whose
     * term is over.
     *
     * @param term the highest term that the refusing replica has seen; 0 if the only reason is that it does not
     *     understand the version of the message
     */
    record TermRefusal<C>(long term) implements ReplicaMessage<C> {}

    /** A replica that is not in sync (does not have all decisions) asks the holder of the Lease for entries. */
    record JoinRequest<C>() implements ReplicaMessage<C> {}

    /** The former holder asks the other replicas to read the Lease, because it has handed the lease over. */
    record HandoverNotice<C>(long term) implements ReplicaMessage<C> {}
}
