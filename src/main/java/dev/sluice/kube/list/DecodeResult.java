package dev.sluice.kube.list;

/**
 * What one value of a stream turned out to be.
 *
 * @param <T> the record that was looked for
 */
public sealed interface DecodeResult<T> {

    /** As the object names itself; empty where it does not, as in the lists of the API server. */
    String kind();

    record Found<T>(String kind, T value) implements DecodeResult<T> {}

    /** Of the right kind, but it has run its course and is as good as gone: a pod that succeeded or failed. */
    record Ended<T>(String kind, ObjectMeta object) implements DecodeResult<T> {}

    record OtherKind<T>(String kind) implements DecodeResult<T> {}

    /** Of the right kind, but not as it must be; {@code problem} names the object, of which little may be known. */
    record Malformed<T>(String kind, ObjectMeta object, String problem) implements DecodeResult<T> {}
}
