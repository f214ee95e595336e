package dev.sluice.record;

import dev.sluice.admission.request.ContainerRequest;
import dev.sluice.cluster.PodContainerKind;
import dev.sluice.cluster.quantity.Quantity;
import dev.sluice.cluster.quantity.ResourceName;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A container that requests a GPU.
 *
 * @param asked the GPU resources and their quantities, as the author wrote them; at most {@link #MOST_RESOURCES}
 */
public record RecordedContainer(String name, PodContainerKind kind, Map<ResourceName, Quantity> asked) {

    public static final int MOST_RESOURCES = 4;

    /** The maximum length of a resource name: a domain of 253 characters, a slash, and 63 more characters. */
    private static final int LONGEST_RESOURCE = 317;

    public RecordedContainer {
        name = RecordedReviewHead.kept(name);
        asked = Map.copyOf(asked);
    }

    /** Returns false for a name that is longer than any valid resource name. A review may contain such names. */
    static boolean isKept(ResourceName name) {
        return name.value().length() <= LONGEST_RESOURCE;
    }

    /** Returns the GPU resources that the container requests, with their quantities. */
    static Map<ResourceName, Quantity> gpusOf(ContainerRequest container, Predicate<ResourceName> isGpu) {
        Map<ResourceName, Quantity> asked = new HashMap<>();
        addGpus(container.limits(), container, isGpu, asked);
        addGpus(container.requests(), container, isGpu, asked);
        return asked;
    }

    private static void addGpus(
            @Nullable Map<ResourceName, Quantity> amounts,
            ContainerRequest container,
            Predicate<ResourceName> isGpu,
            Map<ResourceName, Quantity> asked) {
        if (amounts == null) {
            return;
        }
        for (ResourceName name : amounts.keySet()) {
            if (asked.size() < MOST_RESOURCES
                    && isKept(name)
                    && isGpu.test(name)
                    && !container.asked(name).isZero()) {
                asked.put(name, container.asked(name));
            }
        }
    }
}
