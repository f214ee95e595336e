package dev.sluice.admission.patch;

import dev.sluice.admission.request.ContainerRequest;
import dev.sluice.admission.request.GpuContainerRequest;
import dev.sluice.admission.request.NamespaceLimits;
import dev.sluice.admission.request.PodRequestReplacement;
import dev.sluice.cluster.quantity.Quantity;
import dev.sluice.cluster.quantity.ResourceName;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The change to the limits and requests of one container. */
record ContainerPatch(ContainerRequest container, ResourceMapPatch limits, ResourceMapPatch requests) {

    /**
     * Returns a change in two steps. The first step adds a limit for each GPU resource that has only a request. The
     * second step makes the replacements.
     */
    static ContainerPatch of(
            GpuContainerRequest gpuContainer, List<PodRequestReplacement> moves, NamespaceLimits namespace) {
        ContainerPatch change = none(gpuContainer.request());
        for (ResourceName name : gpuContainer.names()) {
            if (gpuContainer.requestsWithoutLimit(name)) {
                change = change.withLimit(name, gpuContainer.request().asked(name));
            }
        }
        return new ContainerPatch(
                        change.container,
                        change.limits.moved(moves, namespace::mention),
                        change.requests.moved(moves, namespace::mention))
                .equalised();
    }

    static ContainerPatch none(ContainerRequest container) {
        return new ContainerPatch(
                container, ResourceMapPatch.none(container.limits()), ResourceMapPatch.none(container.requests()));
    }

    /**
     * Returns a copy of this change that also sets existing requests to the changed limits. The API server requires
     * that the request and the limit of a device are equal.
     */
    private ContainerPatch equalised() {
        ContainerPatch equalised = this;
        for (Map.Entry<ResourceName, @Nullable Quantity> limit :
                limits.different().entrySet()) {
            Quantity wanted = limit.getValue();
            Quantity request = wanted == null ? null : requests.get(limit.getKey());
            if (wanted != null && request != null && !request.equals(wanted)) {
                equalised = equalised.withRequest(limit.getKey(), wanted);
            }
        }
        return equalised;
    }

    /** Returns a copy of this change that also sets a request and a limit for one resource. */
    ContainerPatch with(ResourceName name, Quantity request, Quantity limit) {
        return withRequest(name, request).withLimit(name, limit);
    }

    private ContainerPatch withRequest(ResourceName name, Quantity request) {
        return new ContainerPatch(container, limits, requests.with(name, request));
    }

    private ContainerPatch withLimit(ResourceName name, Quantity limit) {
        return new ContainerPatch(container, limits.with(name, limit), requests);
    }

    /** Returns a change of {@code stored} that has the same result as this change. */
    ContainerPatch from(ContainerRequest stored) {
        return new ContainerPatch(stored, limits.from(stored.limits()), requests.from(stored.requests()));
    }

    /** Returns the container after the change. */
    ContainerRequest after() {
        return new ContainerRequest(
                container.kind(), container.index(), container.name(), limits.after(), requests.after());
    }

    void addSteps(List<PatchOperation> steps) {
        PatchResourcePlaces places = PatchResourcePlaces.of(container);
        limits.addSteps(places.limits(), steps);
        requests.addSteps(places.requests(), steps);
    }
}
