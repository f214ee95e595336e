package dev.sluice.kube.decode;

import dev.sluice.kube.client.ObjectMeta;

/** A decoded object together with its metadata, for types that do not contain their own resourceVersion. */
public record StoredObject<T>(ObjectMeta meta, T value) {}
