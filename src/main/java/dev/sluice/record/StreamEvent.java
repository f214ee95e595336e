package dev.sluice.record;

/** An event of the event stream. */
public sealed interface StreamEvent permits KeptDecision, StreamEvent.CapacityChanged {

    /** The offers of the nodes have changed; {@code nodes} is the number of nodes now. */
    record CapacityChanged(long generation, int nodes) implements StreamEvent {}
}
