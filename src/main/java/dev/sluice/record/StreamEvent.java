package dev.sluice.record;

/** An event of the event stream of the API. */
public sealed interface StreamEvent permits NumberedDecisionRecord, StreamEvent.CapacityChanged {

    /**
     * Reports that the devices of the nodes have changed.
     *
     * @param generation the number of the snapshot
     * @param nodes the number of nodes
     */
    record CapacityChanged(long generation, int nodes) implements StreamEvent {}
}
