package dev.sluice.kube.decode;

/**
 * The result of decoding one object of a stream.
 *
 * @param <T> the record for objects of the expected kind
 */
public sealed interface ObjectDecodeResult<T> {

    /**
     * Returns the kind that the object states. Returns an empty text if it states none. For example, the items in a
     * list of the API server state no kind.
     */
    String kind();

    record Found<T>(String kind, T value) implements ObjectDecodeResult<T> {}

    /** A pod in a terminal phase. It is treated like a deleted pod. */
    record Ended<T>(String kind, ObjectMeta object) implements ObjectDecodeResult<T> {}

    record OtherKind<T>(String kind) implements ObjectDecodeResult<T> {}

    /**
     * An object of the expected kind that is invalid.
     *
     * @param object the metadata, which may be incomplete
     * @param problem the reason why the object is invalid
     */
    record Malformed<T>(String kind, ObjectMeta object, String problem) implements ObjectDecodeResult<T> {}
}
