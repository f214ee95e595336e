package dev.sluice.kube.decode;

import dev.sluice.kube.client.ObjectMeta;

/** A decoded object with its metadata, for objects that do not keep their version themselves. */
public record StoredObject<T>(ObjectMeta meta, T value) {}
