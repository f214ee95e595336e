package dev.sluice.event;

/** What a watcher tells the ledger. */
public sealed interface ClusterEvent permits NodeEvent, PodEvent {}
