package dev.sluice.kube.client;

/** One event of a watch. */
public sealed interface WatchEvent<T> {

    /** An object was added or modified. */
    record AddedOrModified<T>(T value) implements WatchEvent<T> {}

    /** An object was deleted, or is a pod that has ended. */
    record Deleted<T>(ObjectMeta object) implements WatchEvent<T> {}

    /** All changes up to this version have been sent. */
    record Bookmark<T>(long resourceVersion) implements WatchEvent<T> {}

    /** The server ends this watch. */
    record WatchError<T>(ApiStatus status) implements WatchEvent<T> {}

    /** An object was added or modified and cannot be read; the watch goes on. */
    record MalformedEvent<T>(ObjectMeta object, String problem) implements WatchEvent<T> {}

    /** An event of an unknown type or kind; the watch goes on. */
    record UnknownEvent<T>(String problem) implements WatchEvent<T> {}
}
