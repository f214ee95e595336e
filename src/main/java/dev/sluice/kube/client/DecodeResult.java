package dev.sluice.kube.client;

/**
 * What an object of a stream turned out to be.
 *
 * @param <T> the record that was looked for
 */
public sealed interface DecodeResult<T> {

    /** The kind in the object itself; empty where it has none, as in the lists of the API server. */
    String kind();

    record Found<T>(String kind, T value) implements DecodeResult<T> {}

    /** A pod in a terminal phase, which counts as deleted. */
    record Ended<T>(String kind, ObjectMeta object) implements DecodeResult<T> {}

    record OtherKind<T>(String kind) implements DecodeResult<T> {}

    /** An object of the right kind that is not valid. {@code problem} names it; its other metadata may be missing. */
    record Malformed<T>(String kind, ObjectMeta object, String problem) implements DecodeResult<T> {}
}
