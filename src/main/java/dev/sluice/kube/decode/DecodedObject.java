package dev.sluice.kube.decode;

/** A decoded object together with its metadata, for types that do not contain their own resourceVersion. */
public record DecodedObject<T>(ObjectMeta meta, T value) {}
