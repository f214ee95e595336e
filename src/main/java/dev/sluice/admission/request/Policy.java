package dev.sluice.admission.request;

import org.jspecify.annotations.Nullable;

/**
 * The settings for the pods of one namespace. {@code conf/gateway.yaml} documents each of them.
 *
 * @param whenUnreadable the verdict on pods that cannot be decoded; if it is null, {@link #unreadable()} derives the
 *     verdict from the other settings
 * @param helpText the last sentence of each denial, on one line; empty for no sentence
 * @param preemption whether resources of pods that the pod may preempt count as free
 * @param fallbackMessage where the message about replaced resources is stored
 * @param whenGated the verdict on pods with scheduling gates
 * @param enforcement whether verdicts are carried out
 * @param observedMessage where the messages of verdicts that are not carried out are shown
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
        WhenGated whenGated,
        Enforcement enforcement,
        ObservedMessage observedMessage) {

    public static final Policy DEFAULT = new Policy(
            Mode.ALLOCATABLE,
            WhenNotOffered.KEEP,
            WhenClusterHasNoGpu.DENY,
            WhenExhausted.WAIT,
            WhenStale.DECIDE,
            FallbackChains.DEFAULT,
            /* whenUnreadable= */ null,
            /* helpText= */ "",
            FallbackMessage.NONE,
            PreemptionMode.COUNT,
            WhenGated.KEEP,
            Enforcement.ENFORCE,
            ObservedMessage.NONE);

    /**
     * Returns the verdict on a pod that cannot be decoded or evaluated. By default the pod is denied if the policy
     * denies pods whose GPUs are not offered or not free. Otherwise, users could evade the policy with a pod that is
     * hard to decode.
     */
    public WhenUnreadable unreadable() {
        if (whenUnreadable != null) {
            return whenUnreadable;
        }
        boolean denies = whenNotOffered == WhenNotOffered.DENY
                || (mode == Mode.AVAILABILITY && whenExhausted == WhenExhausted.DENY);
        return denies ? WhenUnreadable.DENY : WhenUnreadable.KEEP;
    }

    /** Returns true if verdicts are recorded and not carried out. */
    public boolean observes() {
        return enforcement == Enforcement.OBSERVE;
    }

    /** The switch that decides whether verdicts are carried out or only recorded. */
    public enum Enforcement {
        ENFORCE("enforce"),
        /** Each pod is created as it was written, and the verdict is only recorded. */
        OBSERVE("observe");

        private final String word;

        Enforcement(String word) {
            this.word = word;
        }

        /** Returns the word in the configuration, the log, the metrics, the audit annotations and the API. */
        public String word() {
            return word;
        }
    }

    /**
     * Where the messages of verdicts that are not carried out are shown. The record of the decision always has them.
     */
    public enum ObservedMessage {
        NONE,
        /** The user gets them as warnings that say what would have been done. */
        WARNING
    }

    /** Whether a decision uses the Allocatable of nodes, or the free amounts on them. */
    public enum Mode {
        ALLOCATABLE,
        AVAILABILITY
    }

    /** What happens if no node that the pod may use offers the resource or one of its fallbacks. */
    public enum WhenNotOffered {
        KEEP,
        DENY
    }

    /** What happens if no node has any GPU resource. */
    public enum WhenClusterHasNoGpu {
        KEEP,
        DENY
    }

    /** What happens in availability mode if the resource or a fallback is offered, but none of them is free. */
    public enum WhenExhausted {
        WAIT,
        DENY
    }

    /** What happens in allocatable mode if the snapshot may be too old. */
    public enum WhenStale {
        DECIDE,
        RETRY
    }

    /** Whether resources that a pod can get by preempting other pods count as free in availability mode. */
    public enum PreemptionMode {
        COUNT,
        IGNORE
    }

    /** Where the message about replaced resources is stored. */
    public enum FallbackMessage {
        NONE,
        /** The message is stored in the annotation {@code gpu-webhook.k8s.io/fallback-message} of the pod. */
        ANNOTATION
    }

    /**
     * What happens to a pod with scheduling gates. The resources of such a pod cannot be changed after its creation,
     * although selectors can still be added.
     */
    public enum WhenGated {
        KEEP,
        DECIDE
    }

    /** What happens if the pod cannot be decoded, or if its constraints are too complex to be evaluated. */
    public enum WhenUnreadable {
        KEEP,
        DENY
    }
}
