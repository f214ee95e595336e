package dev.sluice.event;

/** A change of the cluster that a watcher or a snapshot file publishes. */
public sealed interface ClusterEvent permits NodeEvent, PodEvent {}
