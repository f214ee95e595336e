package dev.sluice.record;

/** Something that happened, in the order in which the stream of events tells it. */
public sealed interface StreamEvent permits KeptDecision, StreamEvent.CapacityChanged {

    /** What the nodes offer has changed; {@code nodes} is their number now. */
    record CapacityChanged(long generation, int nodes) implements StreamEvent {}
}
