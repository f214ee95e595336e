package dev.sluice.admission.patch;

import dev.sluice.admission.patch.PatchOperation.Members;
import dev.sluice.admission.patch.PatchOperation.Text;
import dev.sluice.admission.patch.PatchOperation.Value;
import dev.sluice.admission.request.PodRequestAnnotations;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Creates the patch operations that write annotations. If an annotation already has the value, there is no operation
 * for it.
 */
public final class AnnotationPatch {

    private static final JsonPointer METADATA = JsonPointer.of("metadata");
    private static final JsonPointer ANNOTATIONS = METADATA.child("annotations");

    private static final Members NOTHING = new Members(Map.of());

    private AnnotationPatch() {}

    public static List<PatchOperation> of(PodRequestAnnotations annotations, Map<String, String> written) {
        if (written.isEmpty()) {
            return List.of();
        }
        return switch (annotations.parent()) {
            case NO_METADATA ->
                List.of(new PatchOperation.Add(METADATA, new Members(Map.of("annotations", members(written)))));
            case NO_ANNOTATIONS -> List.of(new PatchOperation.Add(ANNOTATIONS, members(written)));
            case ANNOTATIONS -> each(annotations.values(), written);
        };
    }

    /**
     * Returns the operations that remove these annotations. If the pod does not have an annotation, there is no
     * operation for it.
     */
    static List<PatchOperation> without(PodRequestAnnotations annotations, List<String> names) {
        return names.stream()
                .filter(annotations.values()::containsKey)
                .<PatchOperation>map(name -> new PatchOperation.Remove(ANNOTATIONS.child(name)))
                .toList();
    }

    /** Returns true if the operation creates the map of annotations in a pod that has none. */
    public static boolean makesAnnotations(PatchOperation step) {
        return step instanceof PatchOperation.Add add
                && (add.path().equals(METADATA) || add.path().equals(ANNOTATIONS));
    }

    /**
     * Returns the value that the patch writes into this annotation. Returns an empty text if the patch does not write
     * it.
     */
    public static String written(List<PatchOperation> patch, String annotation) {
        String found = "";
        for (PatchOperation step : patch) {
            Value value = switch (step) {
                case PatchOperation.Add add -> add.value();
                case PatchOperation.Replace replace -> replace.value();
                case PatchOperation.Remove _ -> NOTHING;
            };
            JsonPointer path = step.path();
            if (path.equals(METADATA) && value instanceof Members(Map<String, Value> metadata)) {
                found = text(metadata.getOrDefault("annotations", NOTHING), annotation, found);
            } else if (path.equals(ANNOTATIONS)) {
                found = text(value, annotation, found);
            } else if (path.lastKey().equals(annotation) && value instanceof Text(String text)) {
                found = text;
            }
        }
        return found;
    }

    private static String text(Value annotations, String name, String otherwise) {
        return annotations instanceof Members(Map<String, Value> members)
                        && members.get(name) instanceof Text(String text)
                ? text
                : otherwise;
    }

    private static Members members(Map<String, String> written) {
        Map<String, Value> members = new TreeMap<>();
        written.forEach((key, value) -> members.put(key, new Text(value)));
        return new Members(members);
    }

    private static List<PatchOperation> each(Map<String, String> before, Map<String, String> written) {
        List<PatchOperation> operations = new ArrayList<>();
        written.forEach((key, value) -> {
            JsonPointer place = ANNOTATIONS.child(key);
            String old = before.get(key);
            if (old == null) {
                operations.add(new PatchOperation.Add(place, new Text(value)));
            } else if (!old.equals(value)) {
                operations.add(new PatchOperation.Replace(place, new Text(value)));
            }
        });
        return operations;
    }
}
