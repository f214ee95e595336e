package dev.sluice.cluster;

/**
 * The priority of a pod. The scheduler may preempt pods with a lower priority.
 *
 * @param value {@code spec.priority}, which the API server sets from the PriorityClass before it calls webhooks
 * @param preempts false if the {@code preemptionPolicy} of the pod is {@code Never}
 */
public record PodPriority(int value, boolean preempts) {

    /** The priority of a pod without a PriorityClass, if the cluster has no default class. */
    public static final PodPriority NORMAL = new PodPriority(0, /* preempts= */ true);

    private static final String NEVER = "Never";

    public static PodPriority of(int value, String preemptionPolicy) {
        boolean preempts = !preemptionPolicy.equals(NEVER);
        return value == 0 && preempts ? NORMAL : new PodPriority(value, preempts);
    }

    public PodPriority withoutPreemption() {
        return new PodPriority(value, /* preempts= */ false);
    }
}
