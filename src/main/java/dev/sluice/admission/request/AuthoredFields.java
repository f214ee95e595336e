package dev.sluice.admission.request;

import dev.sluice.cluster.quantity.ResourceName;
import java.util.Set;

/**
 * What the author of a pod wrote, by its {@code managedFields}: the API server records the fields of the request there
 * before it calls webhooks, and does not add what these change.
 *
 * @param fallback the author wrote the annotation {@link PodAnnotations#FALLBACK}
 * @param resources that the author asked for
 */
public record AuthoredFields(boolean fallback, Set<ContainerResource> resources) {

    public AuthoredFields {
        resources = Set.copyOf(resources);
    }

    /** A key of a container's limits or requests. */
    public record ContainerResource(String container, ResourceName resource) {}

    boolean wrote(ContainerRequest container, ResourceName resource) {
        return resources.contains(new ContainerResource(container.name(), resource));
    }
}
