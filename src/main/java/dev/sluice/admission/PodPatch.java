package dev.sluice.admission;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Builds the patch that carries a decision out: resource maps first, annotations last, nothing else. */
final class PodPatch {

    private static final JsonPointer METADATA = JsonPointer.of("metadata");
    private static final JsonPointer ANNOTATIONS = METADATA.child("annotations");
    private static final JsonPointer FALLBACK = ANNOTATIONS.child(PodAnnotations.FALLBACK);

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
        return switch (annotations.parent()) {
            case NO_METADATA -> new PatchOperation.Add(METADATA, member("annotations", fallback(text)));
            case NO_ANNOTATIONS -> new PatchOperation.Add(ANNOTATIONS, fallback(text));
            case ANNOTATIONS ->
                annotations.fallback() == null
                        ? new PatchOperation.Add(FALLBACK, text)
                        : new PatchOperation.Replace(FALLBACK, text);
        };
    }

    private static PatchOperation.Members fallback(PatchOperation.Text text) {
        return member(PodAnnotations.FALLBACK, text);
    }

    private static PatchOperation.Members member(String key, PatchOperation.Value value) {
        return new PatchOperation.Members(Map.of(key, value));
    }
}
