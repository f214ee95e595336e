package dev.sluice.replication;

import java.util.List;

/** A message from one replica to another. */
public sealed interface ReplicaMessage<C> {

    /**
     * The entries of the holder's log that follow a position. The holder sends this message regularly, even without
     * entries, so it is also the heartbeat.
     *
     * @param after the position that the receiver must have reached before it can use the entries
     * @param upTo the position that the receiver has reached with these entries. If a position between the two has no
     *     entry here, the entry was replaced, or its reservation has ended
     * @param inSync true if the receiver is in sync: it once had all decisions that matter, and the holder has waited
     *     for its acknowledgements since then
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
     * @param settled the last position that the sender reached before a time which its watch has since passed: it has
     *     seen each pod that the holder had seen when the holder sent this position
     * @param inSync true if the holder has told the sender that it is in sync
     * @param current true if the sender could decide, because its view of the cluster is current
     */
    record Acknowledgement<C>(long term, long upTo, long settled, boolean inSync, boolean current)
            implements ReplicaMessage<C> {}

    /**
     * The answer to a holder whose term is over.
     *
     * @param term the highest term that the sender has seen; 0 if the only reason is that the sender does not
     *     understand the version
     */
    record TermRefusal<C>(long term) implements ReplicaMessage<C> {}

    /** A replica that is not in the in-sync set asks the holder of the Lease to send it the holder's entries. */
    record JoinRequest<C>() implements ReplicaMessage<C> {}

    /** The former holder tells the other replicas to read the Lease, because another one is the holder now. */
    record HandoverNotice<C>(long term) implements ReplicaMessage<C> {}
}
