package dev.sluice.admission;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Builds the patch that carries a decision out: resource maps first, annotations last, nothing else. */
final class PodPatch {

    private PodPatch() {}

    /** The moves, and the limits that are missing; empty when there is neither. */
    static List<PatchOperation> of(GpuAsk ask, List<Move> moves) {
        List<PatchOperation> operations = new ArrayList<>();
        for (ContainerRequest container : ask.containersAsking()) {
            operations.addAll(ContainerChange.of(container, moves, ask.isGpu()).operations());
        }
        if (!moves.isEmpty()) {
            operations.add(annotate(ask.pod().annotations(), Move.annotation(moves)));
        }
        return operations;
    }

    private static PatchOperation annotate(PodAnnotations annotations, String value) {
        PatchOperation.Text text = new PatchOperation.Text(value);
        PatchOperation.Members map = new PatchOperation.Members(Map.of(PodAnnotations.FALLBACK, text));
        JsonPointer metadata = JsonPointer.of("metadata");
        JsonPointer parent = metadata.child("annotations");
        JsonPointer place = parent.child(PodAnnotations.FALLBACK);
        return switch (annotations.parent()) {
            case NO_METADATA ->
                new PatchOperation.Add(metadata, new PatchOperation.Members(Map.of("annotations", map)));
            case NO_ANNOTATIONS -> new PatchOperation.Add(parent, map);
            case ANNOTATIONS ->
                annotations.fallback() == null
                        ? new PatchOperation.Add(place, text)
                        : new PatchOperation.Replace(place, text);
        };
    }
}
