package dev.sluice.admission.patch;

import java.util.Map;

/** One step of a JSON patch (RFC 6902) on a pod. */
public sealed interface PatchOperation {

    JsonPointer path();

    /** Creates the last key of the path, whose parent exists. */
    record Add(JsonPointer path, Value value) implements PatchOperation {}

    record Replace(JsonPointer path, Value value) implements PatchOperation {}

    record Remove(JsonPointer path) implements PatchOperation {}

    /** What a step writes: all that patches of resource maps and annotations need. */
    sealed interface Value {}

    record Text(String text) implements Value {}

    /** An object, in the order of its keys. */
    record Members(Map<String, Value> members) implements Value {}
}
