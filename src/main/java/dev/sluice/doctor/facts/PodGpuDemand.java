package dev.sluice.doctor.facts;

import dev.sluice.cluster.NodeConstraints;
import dev.sluice.cluster.quantity.Amounts;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a pod, or the template of one, asks for.
 *
 * @param requests by the scheduler's arithmetic, in its units
 * @param schedulerName empty for the default scheduler
 * @param priority {@link #UNKNOWN_PRIORITY} until it is taken from the class
 * @param unlimited GPU requests that the API server refuses
 * @param podLevel GPU resources in the resources of the pod itself, where the API server refuses them
 */
public record PodGpuDemand(
        String namespace,
        Map<String, String> labels,
        Amounts requests,
        NodeConstraints constraints,
        Peers peers,
        String schedulerName,
        List<String> gates,
        List<ClaimUse> claims,
        long priority,
        String priorityClass,
        boolean hasDeadline,
        List<UnlimitedRequest> unlimited,
        List<String> podLevel) {

    /** The API server writes the priority into each pod; templates and short snapshots have none. */
    public static final long UNKNOWN_PRIORITY = Long.MIN_VALUE;

    public PodGpuDemand {
        labels = Map.copyOf(labels);
        gates = List.copyOf(gates);
        claims = List.copyOf(claims);
        unlimited = List.copyOf(unlimited);
        podLevel = List.copyOf(podLevel);
    }

    /**
     * A reference to a ResourceClaim.
     *
     * @param claim the name of the claim; null while the claim of a template is not known
     */
    public record ClaimUse(String name, @Nullable String claim) {}

    /**
     * A request of a GPU resource without an equal limit (validation of resources that cannot be overcommitted).
     *
     * @param limit null without a limit
     */
    public record UnlimitedRequest(
            String container,
            String resource,
            String requested,
            @Nullable String limit) {}

    public PodGpuDemand withPriority(long value) {
        return with(namespace, labels, value);
    }

    /** The same request without namespace and labels, in which pods that are otherwise alike differ. */
    public PodGpuDemand anonymous() {
        return with("", Map.of(), priority);
    }

    private PodGpuDemand with(String otherNamespace, Map<String, String> otherLabels, long otherPriority) {
        return new PodGpuDemand(
                otherNamespace,
                otherLabels,
                requests,
                constraints,
                peers,
                schedulerName,
                gates,
                claims,
                otherPriority,
                priorityClass,
                hasDeadline,
                unlimited,
                podLevel);
    }

    public boolean isForDefaultScheduler() {
        return schedulerName.isEmpty() || schedulerName.equals("default-scheduler");
    }
}
