package dev.sluice.admission.patch;

import java.util.Map;

/** One operation of a JSON patch (RFC 6902) on a pod. */
public sealed interface PatchOperation {

    JsonPointer path();

    /** Creates the last key of the path. Its parent must exist. */
    record Add(JsonPointer path, Value value) implements PatchOperation {}

    record Replace(JsonPointer path, Value value) implements PatchOperation {}

    record Remove(JsonPointer path) implements PatchOperation {}

    /** The value that an operation writes. Patches of resource maps and annotations need only strings and objects. */
    sealed interface Value {}

    record Text(String text) implements Value {}

    /** An object. Its members are in the order of the map. */
    record Members(Map<String, Value> members) implements Value {}
}
