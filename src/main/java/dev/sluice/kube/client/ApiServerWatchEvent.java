package dev.sluice.kube.client;

import dev.sluice.kube.decode.ObjectMeta;

/** One event of a watch. */
public sealed interface ApiServerWatchEvent<T> {

    /** An object was added or modified. */
    record AddedOrModified<T>(T value) implements ApiServerWatchEvent<T> {}

    /** An object was deleted, or a pod has reached a terminal phase. */
    record Deleted<T>(ObjectMeta object) implements ApiServerWatchEvent<T> {}

    /** The API server has sent all changes up to this version. */
    record Bookmark<T>(long resourceVersion) implements ApiServerWatchEvent<T> {}

    /** The API server reports an error, which ends this watch. */
    record WatchError<T>(ApiStatus status) implements ApiServerWatchEvent<T> {}

    /** The object of the event has the expected kind but is invalid. The watch continues. */
    record MalformedEvent<T>(ObjectMeta object, String problem) implements ApiServerWatchEvent<T> {}

    /** The event has an unknown type, or its object has an unexpected kind. The watch continues. */
    record UnknownEvent<T>(String problem) implements ApiServerWatchEvent<T> {}
}
