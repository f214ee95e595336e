package dev.sluice.cluster;

/**
 * How important a pod is to the scheduler.
 *
 * @param value {@code spec.priority}, which the API server takes from the PriorityClass before it calls a webhook
 * @param preempts false if its {@code preemptionPolicy} is {@code Never}
 */
public record PodPriority(int value, boolean preempts) {

    /** A pod without a PriorityClass, if no class is the default one. */
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
