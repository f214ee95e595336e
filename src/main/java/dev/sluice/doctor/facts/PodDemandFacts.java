package dev.sluice.doctor.facts;

import dev.sluice.cluster.NodeConstraints;
import dev.sluice.cluster.quantity.Amounts;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Describes the resources and constraints that a pod or a pod template requests.
 *
 * @param requests the requests of the pod, added up as kube-scheduler adds them, in kube-scheduler's units
 * @param peers the constraints on other pods
 * @param schedulerName the value of schedulerName; empty for the default scheduler
 * @param gates the names of the scheduling gates
 * @param priority the priority; {@link #UNKNOWN_PRIORITY} until the priority is read from the PriorityClass
 * @param hasDeadline true if activeDeadlineSeconds is set
 * @param unlimited the GPU requests without an equal limit, which the API server refuses
 * @param podLevel the GPU resources in {@code spec.resources} of the pod, where the API server does not allow them
 */
public record PodDemandFacts(
        String namespace,
        Map<String, String> labels,
        Amounts requests,
        NodeConstraints constraints,
        PodAffinityFacts peers,
        String schedulerName,
        List<String> gates,
        List<ClaimUse> claims,
        long priority,
        String priorityClass,
        boolean hasDeadline,
        List<UnlimitedRequest> unlimited,
        List<String> podLevel) {

    /**
     * Marks a priority that is not known. The API server writes the priority into each pod, but pod templates and
     * shortened input files do not contain one.
     */
    public static final long UNKNOWN_PRIORITY = Long.MIN_VALUE;

    /** Begins the names of the schedulers of GKE, for example {@code gke.io/optimize-utilization-scheduler}. */
    private static final String OF_GKE = "gke.io/";

    public PodDemandFacts {
        // The API server refuses negative requests, but a file may contain them.
        requests = requests.within(0, Long.MAX_VALUE);
        // With many keys of equal hashes, Map.copyOf would compare each key with all others. HashMap would not.
        labels = labels.isEmpty() ? Map.of() : Collections.unmodifiableMap(new HashMap<>(labels));
        gates = List.copyOf(gates);
        claims = List.copyOf(claims);
        unlimited = List.copyOf(unlimited);
        podLevel = List.copyOf(podLevel);
    }

    /**
     * Describes a reference from a pod to a ResourceClaim.
     *
     * @param name the name of the reference in the pod
     * @param claim the name of the claim; null if the claim is created from a template and its name is not known
     */
    public record ClaimUse(String name, @Nullable String claim) {}

    /**
     * Describes a GPU request without an equal limit. The API server refuses the pod, because extended resources cannot
     * be overcommitted.
     *
     * @param limit the limit; null if the container sets none
     */
    public record UnlimitedRequest(
            String container,
            String resource,
            String requested,
            @Nullable String limit) {}

    /** Returns a copy with namespace, requests and priority only. */
    PodDemandFacts requestsOnly() {
        return new PodDemandFacts(
                namespace,
                Map.of(),
                requests,
                NodeConstraints.NONE,
                PodAffinityFacts.NONE,
                "",
                List.of(),
                List.of(),
                priority,
                "",
                hasDeadline,
                List.of(),
                List.of());
    }

    public PodDemandFacts withPriority(long value) {
        return with(namespace, labels, value);
    }

    /** Returns a copy without namespace and labels, so that requests that differ only in these are equal. */
    public PodDemandFacts anonymous() {
        return with("", Map.of(), priority);
    }

    private PodDemandFacts with(String otherNamespace, Map<String, String> otherLabels, long otherPriority) {
        return new PodDemandFacts(
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

    /**
     * Returns true for the default scheduler, and for those of GKE's control plane: GKE writes their names into pods,
     * they decide like the default scheduler, and the cluster shows neither a pod nor a Lease of them.
     */
    public boolean isForDefaultScheduler() {
        return schedulerName.isEmpty() || schedulerName.equals("default-scheduler") || schedulerName.startsWith(OF_GKE);
    }
}
