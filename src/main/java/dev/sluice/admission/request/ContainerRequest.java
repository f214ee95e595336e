package dev.sluice.admission.request;

import dev.sluice.cluster.PodContainerKind;
import dev.sluice.cluster.quantity.ExactAmounts;
import dev.sluice.cluster.quantity.Quantity;
import dev.sluice.cluster.quantity.ResourceName;
import java.util.HashMap;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The resources of one container, as the pod contains them.
 *
 * @param index the index of the container in {@code spec.containers} or {@code spec.initContainers}
 * @param limits the limits; null if the pod has no such map, so a patch must create it
 * @param requests the requests; null if the pod has no such map
 */
public record ContainerRequest(
        PodContainerKind kind,
        int index,
        String name,
        @Nullable Map<ResourceName, Quantity> limits,
        @Nullable Map<ResourceName, Quantity> requests) {

    /** Returns a copy of the container with other resources. */
    ContainerRequest with(
            @Nullable Map<ResourceName, Quantity> otherLimits, @Nullable Map<ResourceName, Quantity> otherRequests) {
        return new ContainerRequest(kind, index, name, otherLimits, otherRequests);
    }

    /** Returns the amount that the container requests: the limit or, if there is no limit, the request. */
    public Quantity asked(ResourceName name) {
        Quantity limit = limit(name);
        Quantity request = request(name);
        return limit != null ? limit : request != null ? request : Quantity.ZERO;
    }

    /** Returns the names of all resources in the limits and requests. */
    public SortedSet<ResourceName> names() {
        SortedSet<ResourceName> names = new TreeSet<>();
        if (limits != null) {
            names.addAll(limits.keySet());
        }
        if (requests != null) {
            names.addAll(requests.keySet());
        }
        return names;
    }

    /**
     * Returns the requests as the API server completes them: if a resource has a limit but no request, its request
     * equals the limit.
     */
    Map<ResourceName, Quantity> effectiveRequests() {
        if (limits == null || requests == null || requests.keySet().containsAll(limits.keySet())) {
            return requests != null ? requests : limits != null ? limits : Map.of();
        }
        Map<ResourceName, Quantity> effective = new HashMap<>(limits);
        effective.putAll(requests);
        return effective;
    }

    boolean hasNegative() {
        return ExactAmounts.of(limits).hasNegative()
                || ExactAmounts.of(requests).hasNegative();
    }

    @Nullable
    public Quantity limit(ResourceName name) {
        return limits == null ? null : limits.get(name);
    }

    @Nullable
    public Quantity request(ResourceName name) {
        return requests == null ? null : requests.get(name);
    }
}
