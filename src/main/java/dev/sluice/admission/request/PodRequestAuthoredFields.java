package dev.sluice.admission.request;

import dev.sluice.cluster.quantity.ResourceName;
import java.util.List;
import java.util.Set;

/**
 * The fields that the author of a pod wrote, according to {@code managedFields}. The API server writes
 * {@code managedFields} before it calls webhooks, so they do not contain the changes of webhooks.
 *
 * @param fallback true if the author wrote the annotation {@link PodRequestAnnotations#FALLBACK}
 * @param resources the resources that the author requested
 */
public record PodRequestAuthoredFields(boolean fallback, Set<ContainerResource> resources) {

    public PodRequestAuthoredFields {
        resources = Set.copyOf(resources);
    }

    /** A resource in the limits or requests of a container. */
    public record ContainerResource(String container, ResourceName resource) {}

    /**
     * Returns true if {@code managedFields} contain at least one request of a container. If they contain none, either
     * the author wrote no requests, or the API server did not write the {@code managedFields}.
     */
    boolean showRequests() {
        return !resources.isEmpty();
    }

    /** Returns the resources that the author requested in this container. */
    List<ResourceName> resourcesOf(ContainerRequest container) {
        return resources.stream()
                .filter(one -> one.container().equals(container.name()))
                .map(ContainerResource::resource)
                .sorted()
                .toList();
    }

    boolean wrote(ContainerRequest container, ResourceName resource) {
        return resources.contains(new ContainerResource(container.name(), resource));
    }
}
