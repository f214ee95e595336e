package dev.sluice.admission.request;

import org.jspecify.annotations.Nullable;

/**
 * The switches for the pods of one namespace. {@code conf/gateway.yaml} documents each of them.
 *
 * @param whenUnreadable null if nobody has chosen; then {@link #unreadable()} follows the other switches
 * @param helpText what a refused user is told last, one line; empty for nothing
 * @param preemption whether a pod counts as free what it may preempt
 * @param fallbackMessage where the warning of a change stays after the user has seen it
 * @param whenGated what becomes of a pod with scheduling gates
 */
public record Policy(
        Mode mode,
        WhenNotOffered whenNotOffered,
        WhenClusterHasNoGpu whenClusterHasNoGpu,
        WhenExhausted whenExhausted,
        WhenStale whenStale,
        FallbackChains chains,
        @Nullable WhenUnreadable whenUnreadable,
        String helpText,
        FallbackMessage fallbackMessage,
        PreemptionMode preemption,
        WhenGated whenGated) {

    public static final Policy DEFAULT = new Policy(
            Mode.ALLOCATABLE,
            WhenNotOffered.KEEP,
            WhenClusterHasNoGpu.DENY,
            WhenExhausted.WAIT,
            WhenStale.DECIDE,
            FallbackChains.DEFAULT);

    /** A policy in which nobody has chosen what becomes of pods that cannot be read, nor written a help text. */
    public Policy(
            Mode mode,
            WhenNotOffered whenNotOffered,
            WhenClusterHasNoGpu whenClusterHasNoGpu,
            WhenExhausted whenExhausted,
            WhenStale whenStale,
            FallbackChains chains) {
        this(
                mode,
                whenNotOffered,
                whenClusterHasNoGpu,
                whenExhausted,
                whenStale,
                chains,
                null,
                "",
                FallbackMessage.NONE);
    }

    /** A policy in which nobody has chosen about preemption and gated pods. */
    public Policy(
            Mode mode,
            WhenNotOffered whenNotOffered,
            WhenClusterHasNoGpu whenClusterHasNoGpu,
            WhenExhausted whenExhausted,
            WhenStale whenStale,
            FallbackChains chains,
            @Nullable WhenUnreadable whenUnreadable,
            String helpText,
            FallbackMessage fallbackMessage) {
        this(
                mode,
                whenNotOffered,
                whenClusterHasNoGpu,
                whenExhausted,
                whenStale,
                chains,
                whenUnreadable,
                helpText,
                fallbackMessage,
                PreemptionMode.COUNT,
                WhenGated.KEEP);
    }

    /**
     * What becomes of a pod that cannot be read or evaluated. If the policy denies pods whose GPUs are not offered or
     * not free, it denies such pods by default as well, so that nobody evades it with a pod that is hard to read.
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

    /** What happens if no node that the pod may use offers anything in the chain. */
    public enum WhenNotOffered {
        KEEP,
        DENY
    }

    /** What happens if no node has any GPU resource. */
    public enum WhenClusterHasNoGpu {
        KEEP,
        DENY
    }

    /** What happens in availability mode if something is offered, but nothing is free. */
    public enum WhenExhausted {
        WAIT,
        DENY
    }

    /** What happens in allocatable mode if it is no longer proved that the snapshot is current. */
    public enum WhenStale {
        DECIDE,
        RETRY
    }

    /** Whether room that a pod can have by preempting others counts as free in availability mode. */
    public enum PreemptionMode {
        COUNT,
        IGNORE
    }

    /** Where the warning of a change is kept. */
    public enum FallbackMessage {
        NONE,
        /** The annotation {@code gpu-webhook.k8s.io/fallback-message} of the pod. */
        ANNOTATION
    }

    /**
     * What happens to a pod with scheduling gates. Whoever put the gates there may still add selectors to the pod, but
     * nobody can change its resources any more.
     */
    public enum WhenGated {
        KEEP,
        DECIDE
    }

    /** What happens if the pod cannot be read, or if its constraints go beyond what is evaluated. */
    public enum WhenUnreadable {
        KEEP,
        DENY
    }
}
