package dev.sluice.kube.list;

/** One event of a watch. */
public sealed interface WatchEvent<T> {

    /** An object was added or changed. */
    record AddedOrModified<T>(T value) implements WatchEvent<T> {}

    /** An object is gone, or has ended. */
    record Deleted<T>(ObjectMeta object) implements WatchEvent<T> {}

    /** Everything up to this version has been told. */
    record Bookmark<T>(long resourceVersion) implements WatchEvent<T> {}

    /** The server gives up this watch. */
    record WatchError<T>(ApiStatus status) implements WatchEvent<T> {}

    /** An object was added or changed, and cannot be read; the next one may be well. */
    record MalformedEvent<T>(ObjectMeta object, String problem) implements WatchEvent<T> {}

    /** An event that cannot be used, and speaks of nothing that is known; the next one may be well. */
    record UnknownEvent<T>(String problem) implements WatchEvent<T> {}
}
