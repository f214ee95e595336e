package dev.sluice.record;

/** An event of the event stream of the API. */
public sealed interface RecordedStreamEvent permits NumberedDecisionRecord, RecordedStreamEvent.CapacityChanged {

    /**
     * Reports that the devices of the nodes have changed.
     *
     * @param generation the number of the snapshot
     * @param nodes the number of nodes
     */
    record CapacityChanged(long generation, int nodes) implements RecordedStreamEvent {}
}
