package dev.sluice.admission;

import dev.sluice.cluster.Quantity;
import dev.sluice.cluster.ResourceName;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
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

    private static final JsonPointer METADATA = JsonPointer.of("metadata");
    private static final JsonPointer ANNOTATIONS = METADATA.child("annotations");

    private final PodRequest pod;
    /** What stands in each object that is there, by its place; a map that is null in the pod is not there. */
    private final Map<String, Map<String, String>> objects = new HashMap<>();

    private PatchedPod(PodRequest pod) {
        this.pod = pod;
        PodAnnotations annotations = pod.annotations();
        objects.put("", new HashMap<>());
        if (annotations.parent() != PodAnnotations.Parent.NO_METADATA) {
            objects.put(METADATA.text(), new HashMap<>());
        }
        if (annotations.parent() == PodAnnotations.Parent.ANNOTATIONS) {
            Map<String, String> known = new HashMap<>();
            if (annotations.fallback() != null) {
                known.put(PodAnnotations.FALLBACK, annotations.fallback());
            }
            objects.put(ANNOTATIONS.text(), known);
        }
        for (ContainerRequest container : pod.containers()) {
            JsonPointer resources = resourcesOf(container);
            objects.put(resources.text(), new HashMap<>());
            put(resources.child("limits"), container.limits());
            put(resources.child("requests"), container.requests());
        }
    }

    private static JsonPointer resourcesOf(ContainerRequest container) {
        return container.path().child("resources");
    }

    private void put(JsonPointer place, @Nullable Map<ResourceName, Quantity> quantities) {
        if (quantities != null) {
            Map<String, String> texts = new HashMap<>();
            quantities.forEach((name, quantity) -> texts.put(name.value(), quantity.text()));
            objects.put(place.text(), texts);
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
        String place = operation.path().text();
        Map<String, String> parent = objects.get(place.substring(0, place.lastIndexOf('/')));
        if (parent == null) {
            return Optional.of("nothing holds " + place);
        }
        String key = operation.path().lastKey();
        boolean there = parent.containsKey(key) || objects.containsKey(place);
        if (!there && !(operation instanceof PatchOperation.Add)) {
            // The API server would replace what is not there; RFC 6902 would not.
            return Optional.of("nothing is at " + place);
        }
        switch (operation) {
            case PatchOperation.Add add -> write(add.path(), add.value(), parent);
            case PatchOperation.Replace replace -> write(replace.path(), replace.value(), parent);
            case PatchOperation.Remove _ -> {
                parent.remove(key);
                objects.remove(place);
            }
        }
        return Optional.empty();
    }

    private void write(JsonPointer place, PatchOperation.Value value, Map<String, String> parent) {
        switch (value) {
            case PatchOperation.Text text -> parent.put(place.lastKey(), text.text());
            case PatchOperation.Members members -> {
                Map<String, String> written = new HashMap<>();
                objects.put(place.text(), written);
                members.members().forEach((key, member) -> write(place.child(key), member, written));
            }
        }
    }

    private Optional<String> annotationProblem() {
        Map<String, String> annotations = objects.getOrDefault(ANNOTATIONS.text(), Map.of());
        long bytes = pod.annotations().totalBytes()
                - bytesWith(pod.annotations().fallback())
                + bytesWith(annotations.get(PodAnnotations.FALLBACK));
        return bytes > MOST_ANNOTATION_BYTES
                ? Optional.of("annotations of " + bytes + " bytes, more than " + MOST_ANNOTATION_BYTES)
                : Optional.empty();
    }

    private static long bytesWith(@Nullable String fallback) {
        return fallback == null
                ? 0
                : PodAnnotations.FALLBACK.length() + fallback.getBytes(StandardCharsets.UTF_8).length;
    }

    private Optional<String> resourceProblem() {
        for (ContainerRequest container : pod.containers()) {
            JsonPointer resources = resourcesOf(container);
            Map<String, String> limits =
                    objects.getOrDefault(resources.child("limits").text(), Map.of());
            Map<String, String> requests =
                    objects.getOrDefault(resources.child("requests").text(), Map.of());
            Optional<String> problem =
                    illegalDevice(container, limits, limits).or(() -> illegalDevice(container, requests, limits));
            if (problem.isPresent()) {
                return problem;
            }
        }
        return Optional.empty();
    }

    /** Devices are whole numbers, and where they are requested the limit is the same. */
    private static Optional<String> illegalDevice(
            ContainerRequest container, Map<String, String> quantities, Map<String, String> limits) {
        for (Map.Entry<String, String> entry : quantities.entrySet()) {
            if (new ResourceName(entry.getKey()).isExtended()) {
                Optional<Quantity> quantity = Quantity.parse(entry.getValue());
                if (quantity.filter(PatchedPod::isCount).isEmpty()) {
                    return Optional.of(entry.getKey() + " is " + entry.getValue() + ", not a whole number");
                }
                String limit = limits.get(entry.getKey());
                if (limit == null || !quantity.equals(Quantity.parse(limit))) {
                    return Optional.of(
                            "requests and limits of " + entry.getKey() + " differ in container " + container.name());
                }
            }
        }
        return Optional.empty();
    }

    private static boolean isCount(Quantity quantity) {
        return quantity.isWhole() && !quantity.isNegative();
    }
}
