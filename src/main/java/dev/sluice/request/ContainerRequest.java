package dev.sluice.request;

import dev.sluice.pod.ContainerKind;
import dev.sluice.quantity.ExactAmounts;
import dev.sluice.quantity.Quantity;
import dev.sluice.quantity.ResourceName;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One container's resources, as they stand in the pod.
 *
 * @param index its place in {@code spec.containers} or {@code spec.initContainers}
 * @param limits null where the pod has no such map, so that a patch knows what to create
 * @param requests likewise
 */
public record ContainerRequest(
        ContainerKind kind,
        int index,
        String name,
        @Nullable Map<ResourceName, Quantity> limits,
        @Nullable Map<ResourceName, Quantity> requests) {

    /** What the container asks of {@code name}: its limit, or its request where it has no limit; zero is nothing. */
    public Quantity asked(ResourceName name) {
        Quantity limit = limit(name);
        Quantity request = request(name);
        return limit != null ? limit : request != null ? request : Quantity.ZERO;
    }

    /** Its requests, and its limits where it has no request, as the API server fills them in. */
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
