package dev.sluice.doctor.facts;

import dev.sluice.cluster.NodeConstraints;
import dev.sluice.cluster.quantity.Amounts;
import dev.sluice.cluster.quantity.ResourceName;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Describes the resources and constraints that a pod or a pod template requests.
 *
 * @param requests the total requests of the pod, by the rules and in the units of kube-scheduler
 * @param peers the constraints on other pods
 * @param schedulerName the value of schedulerName; empty for the default scheduler
 * @param gates the names of the scheduling gates
 * @param priority the priority; {@link #UNKNOWN_PRIORITY} until the priority is read from the PriorityClass
 * @param hasDeadline true if activeDeadlineSeconds is set
 * @param unlimited the GPU requests without an equal limit, which the API server refuses
 * @param podLevel the GPU resources in {@code spec.resources} of the pod, where the API server does not allow them
 * @param share the share of a GPU that the pod requests from its own scheduler by an annotation such as
 *     {@code gpu-fraction: 0.5}; empty if it requests none
 * @param ofOneContainer for each device resource, the largest amount that a single container requests
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
        List<String> podLevel,
        String share,
        Amounts ofOneContainer) {

    /**
     * Marks a priority that is not known. The API server writes the priority into each pod, but pod templates and
     * shortened input files do not contain one.
     */
    public static final long UNKNOWN_PRIORITY = Long.MIN_VALUE;

    /** The beginning of the names of GKE's schedulers, for example {@code gke.io/optimize-utilization-scheduler}. */
    private static final String OF_GKE = "gke.io/";

    public PodDemandFacts {
        // The API server refuses negative requests, but a file may contain them.
        requests = requests.within(0, Long.MAX_VALUE);
        // Users can choose many keys with the same hash. Map.copyOf would then compare each key with all others, but
        // HashMap does not.
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
                List.of(),
                "",
                Amounts.NONE);
    }

    public PodDemandFacts withPriority(long value) {
        return with(namespace, labels, requests, value);
    }

    /** Returns a copy without namespace and labels, so that requests that differ only in these are equal. */
    public PodDemandFacts anonymous() {
        return with("", Map.of(), requests, priority);
    }

    /** Returns a copy that requests only these resources. */
    public PodDemandFacts requesting(Amounts fewer) {
        return with(namespace, labels, fewer, priority);
    }

    private PodDemandFacts with(
            String otherNamespace, Map<String, String> otherLabels, Amounts otherRequests, long otherPriority) {
        return new PodDemandFacts(
                otherNamespace,
                otherLabels,
                otherRequests,
                constraints,
                peers,
                schedulerName,
                gates,
                claims,
                otherPriority,
                priorityClass,
                hasDeadline,
                unlimited,
                podLevel,
                share,
                ofOneContainer);
    }

    /**
     * Returns the devices that a node has to offer for the pod: the devices that the pod requests, or one NVIDIA GPU if
     * the pod asks its scheduler for a share of a GPU. Only NVIDIA's GPUs are shared in this way.
     */
    public Amounts devices() {
        return asksForShare() ? Amounts.of(ResourceName.NVIDIA_GPU, 1) : requests.only(DraFacts::isDevice);
    }

    /**
     * Returns true if the pod requests no device, but asks a scheduler other than the default one for a share of a GPU.
     */
    public boolean asksForShare() {
        return !share.isEmpty()
                && !isForDefaultScheduler()
                && requests.only(DraFacts::isDevice).isZero();
    }

    /**
     * Returns true if the pod is for the default scheduler or for a scheduler of GKE. GKE writes the names of its
     * schedulers into pods. These schedulers decide like the default scheduler. They run in GKE's control plane, so the
     * cluster has neither a pod nor a Lease of them.
     */
    public boolean isForDefaultScheduler() {
        return schedulerName.isEmpty() || schedulerName.equals("default-scheduler") || schedulerName.startsWith(OF_GKE);
    }
}
