package dev.sluice.policy;

import org.jspecify.annotations.Nullable;

/**
 * What holds for the pods of one namespace; docs of each switch in {@code conf/gateway.yaml}.
 *
 * @param whenUnreadable null where nobody has chosen: then the other switches say it, see {@link #unreadable()}
 */
public record Policy(
        Mode mode,
        WhenNotOffered whenNotOffered,
        WhenClusterHasNoGpu whenClusterHasNoGpu,
        WhenExhausted whenExhausted,
        WhenStale whenStale,
        FallbackChains chains,
        @Nullable WhenUnreadable whenUnreadable) {

    public static final Policy DEFAULT = new Policy(
            Mode.ALLOCATABLE,
            WhenNotOffered.KEEP,
            WhenClusterHasNoGpu.DENY,
            WhenExhausted.WAIT,
            WhenStale.DECIDE,
            FallbackChains.DEFAULT);

    /** A policy that leaves to its other switches what becomes of pods that cannot be read. */
    public Policy(
            Mode mode,
            WhenNotOffered whenNotOffered,
            WhenClusterHasNoGpu whenClusterHasNoGpu,
            WhenExhausted whenExhausted,
            WhenStale whenStale,
            FallbackChains chains) {
        this(mode, whenNotOffered, whenClusterHasNoGpu, whenExhausted, whenStale, chains, null);
    }

    /**
     * What becomes of a pod that cannot be read or evaluated. Where a policy denies pods for want of GPUs, nobody may
     * get round it by writing a pod that is hard to read.
     */
    public WhenUnreadable unreadable() {
        if (whenUnreadable != null) {
            return whenUnreadable;
        }
        boolean denies = whenNotOffered == WhenNotOffered.DENY
                || (mode == Mode.AVAILABILITY && whenExhausted == WhenExhausted.DENY);
        return denies ? WhenUnreadable.DENY : WhenUnreadable.KEEP;
    }

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

    /** The pod cannot be read, or where it may run goes beyond what is evaluated. */
    public enum WhenUnreadable {
        KEEP,
        DENY
    }
}
