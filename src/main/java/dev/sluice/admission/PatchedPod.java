package dev.sluice.admission;

import dev.sluice.cluster.Quantity;
import dev.sluice.cluster.ResourceName;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
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
    private static final JsonPointer FALLBACK = ANNOTATIONS.child(PodAnnotations.FALLBACK);

    private final PodRequest pod;
    /** Places of the objects that are there; a map that is null in the pod is not. */
    private final Set<String> objects = new HashSet<>();
    /** Values by their place. */
    private final SortedMap<String, String> texts = new TreeMap<>();

    private PatchedPod(PodRequest pod) {
        this.pod = pod;
        PodAnnotations annotations = pod.annotations();
        objects.add("");
        if (annotations.parent() != PodAnnotations.Parent.NO_METADATA) {
            objects.add(METADATA.text());
        }
        if (annotations.parent() == PodAnnotations.Parent.ANNOTATIONS) {
            objects.add(ANNOTATIONS.text());
        }
        if (annotations.fallback() != null) {
            texts.put(FALLBACK.text(), annotations.fallback());
        }
        for (ContainerRequest container : pod.containers()) {
            JsonPointer resources = resourcesOf(container);
            objects.add(resources.text());
            put(resources.child("limits"), container.limits());
            put(resources.child("requests"), container.requests());
        }
    }

    private static JsonPointer resourcesOf(ContainerRequest container) {
        return container.path().child("resources");
    }

    private void put(JsonPointer place, @Nullable Map<ResourceName, Quantity> quantities) {
        if (quantities != null) {
            objects.add(place.text());
            quantities.forEach(
                    (name, quantity) -> texts.put(place.child(name.value()).text(), quantity.text()));
        }
    }

    /** What is wrong with the pod that the patch would make, or empty. */
    static Optional<String> problem(PodRequest pod, List<PatchOperation> patch) {
        PatchedPod patched = new PatchedPod(pod);
        return patch.stream()
                .map(patched::apply)
                .flatMap(Optional::stream)
                .findFirst()
                .or(patched::annotationProblem)
                .or(patched::resourceProblem);
    }

    private Optional<String> apply(PatchOperation operation) {
        String place = operation.path().text();
        String parent = place.substring(0, place.lastIndexOf('/'));
        boolean there = texts.containsKey(place) || objects.contains(place);
        if (!objects.contains(parent)) {
            return Optional.of("nothing is at " + parent);
        }
        return switch (operation) {
            case PatchOperation.Add add -> {
                write(add.path(), add.value());
                yield Optional.empty();
            }
            // The API server would also replace what is not there; RFC 6902 would not.
            case PatchOperation.Replace replace
            when there -> {
                write(replace.path(), replace.value());
                yield Optional.empty();
            }
            case PatchOperation.Remove remove
            when there -> {
                remove(remove.path());
                yield Optional.empty();
            }
            case PatchOperation.Replace _, PatchOperation.Remove _ -> Optional.of("nothing is at " + place);
        };
    }

    private void write(JsonPointer place, PatchOperation.Value value) {
        switch (value) {
            case PatchOperation.Text text -> texts.put(place.text(), text.text());
            case PatchOperation.Members members -> {
                below(place).clear();
                objects.add(place.text());
                members.members().forEach((key, member) -> write(place.child(key), member));
            }
        }
    }

    private void remove(JsonPointer place) {
        texts.remove(place.text());
        objects.remove(place.text());
        below(place).clear();
    }

    private SortedMap<String, String> below(JsonPointer place) {
        return texts.subMap(place.text() + '/', place.text() + (char) ('/' + 1));
    }

    private Optional<String> annotationProblem() {
        long bytes = pod.annotations().totalBytes()
                - bytesWith(pod.annotations().fallback())
                + bytesWith(texts.get(FALLBACK.text()));
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
            SortedMap<String, String> limits = below(resourcesOf(container).child("limits"));
            SortedMap<String, String> requests = below(resourcesOf(container).child("requests"));
            Optional<String> problem =
                    notWhole(limits).or(() -> notWhole(requests)).or(() -> notEqual(container, limits, requests));
            if (problem.isPresent()) {
                return problem;
            }
        }
        return Optional.empty();
    }

    private static Optional<String> notWhole(SortedMap<String, String> quantities) {
        return quantities.entrySet().stream()
                .filter(entry -> isDevice(entry.getKey()) && !isCount(entry.getValue()))
                .map(entry -> entry.getKey() + " is " + entry.getValue() + ", not a whole number")
                .findFirst();
    }

    private static boolean isCount(String text) {
        return Quantity.parse(text)
                .filter(quantity -> quantity.isWhole() && !quantity.isNegative())
                .isPresent();
    }

    private static Optional<String> notEqual(
            ContainerRequest container, SortedMap<String, String> limits, SortedMap<String, String> requests) {
        JsonPointer resources = resourcesOf(container);
        return requests.keySet().stream()
                .filter(PatchedPod::isDevice)
                .map(place -> new JsonPointer(place).lastKey())
                .filter(name -> {
                    String request =
                            requests.get(resources.child("requests").child(name).text());
                    String limit =
                            limits.get(resources.child("limits").child(name).text());
                    return !Quantity.parse(String.valueOf(request)).equals(Quantity.parse(String.valueOf(limit)));
                })
                .map(name -> "requests and limits of " + name + " differ in container " + container.name())
                .findFirst();
    }

    private static boolean isDevice(String place) {
        return new ResourceName(new JsonPointer(place).lastKey()).isExtended();
    }
}
