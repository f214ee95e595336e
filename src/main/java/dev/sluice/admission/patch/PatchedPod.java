package dev.sluice.admission.patch;

import dev.sluice.admission.patch.PatchOperation.Members;
import dev.sluice.admission.patch.PatchOperation.Value;
import dev.sluice.admission.request.ContainerRequest;
import dev.sluice.admission.request.PodRequest;
import dev.sluice.admission.request.PodRequestAnnotations;
import dev.sluice.cluster.quantity.Quantity;
import dev.sluice.cluster.quantity.ResourceName;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The resource maps and annotations of a pod after a patch. The gateway applies each patch with this class before it
 * sends the patch, and validates the result by the rules of the API server.
 *
 * <p>This class shares no code with the classes that create patches. Therefore it finds mistakes of those classes.
 */
public final class PatchedPod {

    /** The maximum total size of annotations in bytes: {@code TotalAnnotationSizeLimitB} of apimachinery. */
    private static final long MOST_ANNOTATION_BYTES = 256 * 1024;

    private static final JsonPointer METADATA = JsonPointer.of("metadata");
    private static final JsonPointer ANNOTATIONS = METADATA.child("annotations");

    /** The limits and the requests of one container. */
    private record PatchedResources(
            ContainerRequest container,
            PatchedMap<ResourceName, Quantity> limits,
            PatchedMap<ResourceName, Quantity> requests) {

        static PatchedResources of(ContainerRequest container) {
            PatchResourcePlaces places = PatchResourcePlaces.of(container);
            return new PatchedResources(
                    container,
                    quantities(places.limits(), container.limits()),
                    quantities(places.requests(), container.requests()));
        }

        private static PatchedMap<ResourceName, Quantity> quantities(
                JsonPointer place, @Nullable Map<ResourceName, Quantity> quantities) {
            return new PatchedMap<>(place, quantities, ResourceName::new, Quantity::parse);
        }

        Optional<String> brokenRule() {
            return new PatchedResourceRules(container.name(), limits, requests).broken();
        }
    }

    private final PodRequestAnnotations before;
    private final List<PatchedResources> containers;
    private final PatchedMap<String, String> annotations;
    /**
     * The index of the container that the last operation changed. The search for the next container starts at this
     * index, because operations are in the order of the containers. A search from the first container would take long
     * in a pod with thousands of containers.
     */
    private int last;

    private boolean hasMetadata;

    private PatchedPod(PodRequest pod) {
        before = pod.annotations();
        hasMetadata = before.parent() != PodRequestAnnotations.Parent.NO_METADATA;
        boolean hasAnnotations = before.parent() == PodRequestAnnotations.Parent.ANNOTATIONS;
        annotations = new PatchedMap<>(
                ANNOTATIONS, hasAnnotations ? before.values() : null, Function.identity(), Optional::of);
        containers = new ArrayList<>(pod.containers().size());
        for (ContainerRequest container : pod.containers()) {
            containers.add(PatchedResources.of(container));
        }
    }

    /** Returns the reason why the pod would be invalid after the patch. Returns empty if it would be valid. */
    public static Optional<String> problem(PodRequest pod, List<PatchOperation> patch) {
        PatchedPod patched = new PatchedPod(pod);
        for (PatchOperation step : patch) {
            Optional<String> problem = patched.apply(step);
            if (problem.isPresent()) {
                return problem;
            }
        }
        return patched.annotationProblem().or(patched::resourceProblem);
    }

    private Optional<String> apply(PatchOperation step) {
        JsonPointer path = step.path();
        if (hasMetadata && annotations.isFor(path)) {
            return annotations.apply(step);
        }
        PatchedMap<ResourceName, Quantity> quantities = quantitiesAt(path);
        if (quantities != null) {
            return quantities.apply(step);
        }
        return path.equals(METADATA)
                        && step instanceof PatchOperation.Add(JsonPointer _, Members(Map<String, Value> members))
                ? addMetadata(members)
                : Optional.of("nothing holds " + path);
    }

    private @Nullable PatchedMap<ResourceName, Quantity> quantitiesAt(JsonPointer path) {
        for (int looked = 0; looked < containers.size(); looked++) {
            PatchedResources resources = containers.get(last);
            if (resources.limits.isFor(path)) {
                return resources.limits;
            }
            if (resources.requests.isFor(path)) {
                return resources.requests;
            }
            last = (last + 1) % containers.size();
        }
        return null;
    }

    private Optional<String> addMetadata(Map<String, Value> members) {
        hasMetadata = true;
        Value written = members.get("annotations");
        return written == null ? Optional.empty() : annotations.become(written);
    }

    private Optional<String> annotationProblem() {
        long bytes = before.totalBytes();
        for (Map.Entry<String, @Nullable String> after : annotations.written().entrySet()) {
            bytes += PodRequestAnnotations.bytesOf(after.getKey(), after.getValue())
                    - PodRequestAnnotations.bytesOf(
                            after.getKey(), before.values().get(after.getKey()));
        }
        return bytes > MOST_ANNOTATION_BYTES
                ? Optional.of("annotations of " + bytes + " bytes, more than " + MOST_ANNOTATION_BYTES)
                : Optional.empty();
    }

    private Optional<String> resourceProblem() {
        for (PatchedResources resources : containers) {
            Optional<String> problem = resources.brokenRule();
            if (problem.isPresent()) {
                return problem;
            }
        }
        return Optional.empty();
    }
}
