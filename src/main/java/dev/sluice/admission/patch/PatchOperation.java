package dev.sluice.admission.patch;

import java.util.Map;

/** One operation of a JSON patch (RFC 6902) on a pod. */
public sealed interface PatchOperation {

    JsonPointer path();

    /** Adds a member to an existing object. The key of the member is the last key of the path. */
    record Add(JsonPointer path, Value value) implements PatchOperation {}

    record Replace(JsonPointer path, Value value) implements PatchOperation {}

    record Remove(JsonPointer path) implements PatchOperation {}

    /**
     * The value that an operation writes. It is a string or an object, because patches of resource maps and annotations
     * need no other types.
     */
    sealed interface Value {}

    record Text(String text) implements Value {}

    /** An object as a value. Its members are in the order of the map. */
    record Members(Map<String, Value> members) implements Value {}
}
