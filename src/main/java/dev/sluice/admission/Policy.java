package dev.sluice.admission;

/** What holds for the pods of one namespace; docs of each switch in {@code conf/gateway.yaml}. */
public record Policy(
        Mode mode,
        WhenNotOffered whenNotOffered,
        WhenClusterHasNoGpu whenClusterHasNoGpu,
        WhenExhausted whenExhausted,
        WhenStale whenStale,
        Chains chains) {

    public static final Policy DEFAULT = new Policy(
            Mode.ALLOCATABLE,
            WhenNotOffered.KEEP,
            WhenClusterHasNoGpu.DENY,
            WhenExhausted.WAIT,
            WhenStale.DECIDE,
            Chains.DEFAULT);

    /** Whether a decision reads what nodes offer, or what is free on them. */
    public enum Mode {
        ALLOCATABLE,
        AVAILABILITY
    }

    /** Nothing in the chain is offered by any node the pod could use. */
    public enum WhenNotOffered {
        KEEP,
        DENY
    }

    /** No node has any GPU resource at all. */
    public enum WhenClusterHasNoGpu {
        KEEP,
        DENY
    }

    /** Availability mode: offered, but nothing is free now. */
    public enum WhenExhausted {
        WAIT,
        DENY
    }

    /** Allocatable mode: it is not proved any more that what is known of the nodes is current. */
    public enum WhenStale {
        DECIDE,
        RETRY
    }
}
