package dev.sluice.kube.client;

/**
 * The result of decoding one object of a stream.
 *
 * @param <T> the record for objects of the expected kind
 */
public sealed interface DecodeResult<T> {

    /**
     * Returns the kind that the object names. It is empty for an object that names none, like the items in a list of
     * the API server.
     */
    String kind();

    record Found<T>(String kind, T value) implements DecodeResult<T> {}

    /** A pod in a terminal phase, which is treated like a deleted pod. */
    record Ended<T>(String kind, ObjectMeta object) implements DecodeResult<T> {}

    record OtherKind<T>(String kind) implements DecodeResult<T> {}

    /**
     * An object of the expected kind that is invalid. The {@code problem} says why; the other metadata may be missing.
     */
    record Malformed<T>(String kind, ObjectMeta object, String problem) implements DecodeResult<T> {}
}
