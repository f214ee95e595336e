package dev.sluice.cluster;

/** What a watcher tells the ledger. */
public sealed interface ClusterEvent permits NodeEvent, PodEvent {}
