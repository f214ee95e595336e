package dev.sluice.admission;

import dev.sluice.admission.PatchOperation.Members;
import dev.sluice.admission.PatchOperation.Text;
import dev.sluice.admission.PatchOperation.Value;
import dev.sluice.cluster.Quantity;
import dev.sluice.cluster.ResourceName;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The part of a pod that patches touch, to try a patch on before it is sent: resource maps and annotations, patched as
 * the API server patches them (evanphx/json-patch) and then judged as it judges them (pkg/apis/core/validation).
 *
 * <p>It knows nothing of how the patch was made, so a mistake made there is found here.
 */
final class PatchedPod {

    /** {@code TotalAnnotationSizeLimitB} in apimachinery. */
    private static final long MOST_ANNOTATION_BYTES = 256 * 1024;

    private static final JsonPointer ANNOTATIONS = JsonPointer.of("metadata", "annotations");

    private final PodRequest pod;
    /** The objects that others here do not hold, by their places: the pod itself, and each container's resources. */
    private final Map<JsonPointer, Members> roots = new HashMap<>();

    private PatchedPod(PodRequest pod) {
        this.pod = pod;
        roots.put(JsonPointer.ROOT, root(pod.annotations()));
        for (ContainerRequest container : pod.containers()) {
            Members resources = new Members(new HashMap<>());
            put(resources, "limits", container.limits());
            put(resources, "requests", container.requests());
            roots.put(ResourcePlaces.of(container).resources(), resources);
        }
    }

    private static Members root(PodAnnotations annotations) {
        Members root = new Members(new HashMap<>());
        Members metadata = new Members(new HashMap<>());
        Members known = new Members(new HashMap<>());
        if (annotations.parent() != PodAnnotations.Parent.NO_METADATA) {
            root.members().put("metadata", metadata);
        }
        if (annotations.parent() == PodAnnotations.Parent.ANNOTATIONS) {
            metadata.members().put("annotations", known);
        }
        annotations.values().forEach((key, value) -> known.members().put(key, new Text(value)));
        return root;
    }

    /** A map that is null in the pod is not there. */
    private static void put(Members resources, String key, @Nullable Map<ResourceName, Quantity> quantities) {
        if (quantities != null) {
            Map<String, Value> texts = new HashMap<>();
            quantities.forEach((name, quantity) -> texts.put(name.value(), new Text(quantity.text())));
            resources.members().put(key, new Members(texts));
        }
    }

    /** What is wrong with the pod that the patch would make, or empty. */
    static Optional<String> problem(PodRequest pod, List<PatchOperation> patch) {
        PatchedPod patched = new PatchedPod(pod);
        for (PatchOperation operation : patch) {
            Optional<String> problem = patched.apply(operation);
            if (problem.isPresent()) {
                return problem;
            }
        }
        return patched.annotationProblem().or(patched::resourceProblem);
    }

    private Optional<String> apply(PatchOperation operation) {
        JsonPointer place = operation.path();
        Members parent = place.parent() == null ? null : objectAt(place.parent());
        if (parent == null) {
            return Optional.of("nothing holds " + place);
        }
        String key = place.lastKey();
        if (!(operation instanceof PatchOperation.Add) && !parent.members().containsKey(key)) {
            // The API server would replace what is not there; RFC 6902 would not.
            return Optional.of("nothing is at " + place);
        }
        var _ = switch (operation) {
            case PatchOperation.Add add -> parent.members().put(key, copy(add.value()));
            case PatchOperation.Replace replace -> parent.members().put(key, copy(replace.value()));
            case PatchOperation.Remove _ -> parent.members().remove(key);
        };
        return Optional.empty();
    }

    /** Null where there is none. */
    private @Nullable Members objectAt(JsonPointer place) {
        Members root = roots.get(place);
        if (root != null || place.parent() == null) {
            return root;
        }
        Members parent = objectAt(place.parent());
        return parent == null ? null : member(parent, place.lastKey());
    }

    private static @Nullable Members member(Members parent, String key) {
        return parent.members().get(key) instanceof Members members ? members : null;
    }

    /** One that later steps of the patch can change. */
    private static Value copy(Value value) {
        return switch (value) {
            case Text text -> text;
            case Members members -> {
                Members copy = new Members(new HashMap<>());
                members.members().forEach((key, member) -> copy.members().put(key, copy(member)));
                yield copy;
            }
        };
    }

    private Optional<String> annotationProblem() {
        Map<String, Value> after = membersAt(ANNOTATIONS);
        long bytes = pod.annotations().totalBytes();
        for (String key : after.keySet()) {
            String old = pod.annotations().values().get(key);
            String written = text(after, key);
            if (!Objects.equals(old, written)) {
                bytes += PodAnnotations.bytesOf(key, written) - PodAnnotations.bytesOf(key, old);
            }
        }
        return bytes > MOST_ANNOTATION_BYTES
                ? Optional.of("annotations of " + bytes + " bytes, more than " + MOST_ANNOTATION_BYTES)
                : Optional.empty();
    }

    private Optional<String> resourceProblem() {
        for (ContainerRequest container : pod.containers()) {
            ResourcePlaces places = ResourcePlaces.of(container);
            Map<String, Value> limits = membersAt(places.limits());
            Map<String, Value> requests = membersAt(places.requests());
            Optional<String> problem = illegalDevice(container, limits, limits)
                    .or(() -> illegalDevice(container, requests, limits))
                    .or(() -> beyondLimit(container, requests, limits));
            if (problem.isPresent()) {
                return problem;
            }
        }
        return Optional.empty();
    }

    private Map<String, Value> membersAt(JsonPointer place) {
        Members object = objectAt(place);
        return object == null ? Map.of() : object.members();
    }

    /** Devices are whole numbers, and where they are requested the limit is the same. */
    private static Optional<String> illegalDevice(
            ContainerRequest container, Map<String, Value> quantities, Map<String, Value> limits) {
        for (String name : quantities.keySet()) {
            if (isCounted(name)) {
                Optional<Quantity> quantity = quantity(quantities, name);
                if (quantity.filter(PatchedPod::isCount).isEmpty()) {
                    return Optional.of(name + " is " + text(quantities, name) + ", not a whole number");
                }
                if (!quantity.equals(quantity(limits, name))) {
                    return Optional.of("requests and limits of " + name + " differ in container " + container.name());
                }
            }
        }
        return Optional.empty();
    }

    private static Optional<String> beyondLimit(
            ContainerRequest container, Map<String, Value> requests, Map<String, Value> limits) {
        for (String name : requests.keySet()) {
            Optional<Quantity> request = quantity(requests, name);
            Optional<Quantity> limit = quantity(limits, name);
            if (request.isPresent() && limit.isPresent() && request.get().compareTo(limit.get()) > 0) {
                return Optional.of("the request of " + name + " is above its limit in container " + container.name());
            }
        }
        return Optional.empty();
    }

    private static Optional<Quantity> quantity(Map<String, Value> quantities, String name) {
        return Optional.ofNullable(text(quantities, name)).flatMap(Quantity::parse);
    }

    private static @Nullable String text(Map<String, Value> members, String key) {
        return members.get(key) instanceof Text text ? text.text() : null;
    }

    private static boolean isCounted(String name) {
        return name.startsWith("hugepages-") || new ResourceName(name).isExtended();
    }

    private static boolean isCount(Quantity quantity) {
        return quantity.isWhole() && !quantity.isNegative();
    }
}
