package dev.sluice.admission.request;

import org.jspecify.annotations.Nullable;

/**
 * The settings for the pods of one namespace. {@code conf/gateway.yaml} documents each of them.
 *
 * @param whenUnreadable the verdict on pods that cannot be decoded; if it is null, {@link #unreadable()} derives the
 *     verdict from the other settings
 * @param helpText the last sentence of each denial, on one line; empty for no sentence
 * @param preemption determines whether resources count as free if the pod can get them by preempting other pods
 * @param fallbackMessage the place where the message about replaced resources is stored
 * @param whenGated the action for pods with scheduling gates
 * @param enforcement determines whether verdicts are enforced or only recorded
 * @param observedMessage the place where users see the messages of verdicts that are only recorded
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
     * Returns the verdict on a pod that cannot be decoded or evaluated. By default, the pod is denied if the policy
     * denies pods whose GPUs are not offered or not free. Otherwise users could evade this policy with a pod that is
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

    /** Returns true if verdicts are only recorded and not enforced. */
    public boolean observes() {
        return enforcement == Enforcement.OBSERVE;
    }

    /** Determines whether verdicts are enforced or only recorded. */
    public enum Enforcement {
        ENFORCE("enforce"),
        /** Each pod is created as it was written, and the verdict is only recorded. */
        OBSERVE("observe");

        private final String word;

        Enforcement(String word) {
            this.word = word;
        }

        /**
         * Returns the word for this value in the configuration, the log, the metrics, the audit annotations and the
         * API.
         */
        public String word() {
            return word;
        }
    }

    /**
     * The place where users see the messages of verdicts that are only recorded. The record of the decision always
     * contains these messages.
     */
    public enum ObservedMessage {
        NONE,
        /** The user receives each message as a warning that says what Sluice would have done. */
        WARNING
    }

    /** The capacity that a decision uses: the Allocatable of the nodes, or the free amounts on them. */
    public enum Mode {
        ALLOCATABLE,
        AVAILABILITY
    }

    /**
     * Determines what happens to a pod if neither the resource nor a fallback is offered by a node that the pod may
     * use.
     */
    public enum WhenNotOffered {
        KEEP,
        DENY
    }

    /** Determines what happens to a GPU pod if no node has any GPU resource. */
    public enum WhenClusterHasNoGpu {
        KEEP,
        DENY
    }

    /**
     * Determines what happens to a pod in availability mode if the resource or a fallback is offered, but none of them
     * is free.
     */
    public enum WhenExhausted {
        WAIT,
        DENY
    }

    /** Determines what happens in allocatable mode if the snapshot of the cluster may be too old for a decision. */
    public enum WhenStale {
        DECIDE,
        RETRY
    }

    /**
     * Determines whether resources count as free in availability mode if the pod can get them by preempting other pods.
     */
    public enum PreemptionMode {
        COUNT,
        IGNORE
    }

    /** The place where the message about replaced resources is stored. */
    public enum FallbackMessage {
        NONE,
        /** The message is stored in the annotation {@code gpu-webhook.k8s.io/fallback-message} of the pod. */
        ANNOTATION
    }

    /**
     * Determines whether a pod with scheduling gates keeps its request if the resources are not available now. The
     * resources of a pod cannot be changed later. But selectors can be added before the gates are removed, and may
     * exclude the nodes that offer the replacement.
     */
    public enum WhenGated {
        KEEP,
        DECIDE
    }

    /**
     * Determines what happens to a pod that cannot be decoded, or whose constraints are too complex to be evaluated.
     */
    public enum WhenUnreadable {
        KEEP,
        DENY
    }
}
