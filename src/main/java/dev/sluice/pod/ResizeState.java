package dev.sluice.pod;

import dev.sluice.quantity.ExactAmounts;

/**
 * How far kubelet has come with the resources of a container, or of a whole pod, that were changed while it ran.
 *
 * @param allocated what the node has set aside
 * @param actuated what is in force
 */
public record ResizeState(ExactAmounts allocated, ExactAmounts actuated) {

    /** Whether the node can ever give what the spec asks: the condition {@code PodResizePending}. */
    public enum Prospect {
        POSSIBLE,
        INFEASIBLE
    }

    /** What the scheduler counts instead of the spec ({@code determineEffectiveRequests}). */
    public ExactAmounts effective(ExactAmounts spec, Prospect prospect) {
        ExactAmounts held = actuated.max(allocated);
        return prospect == Prospect.INFEASIBLE ? held : spec.max(held);
    }
}
