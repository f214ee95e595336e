package dev.sluice.factsfile;

/** Names an object; the namespace is empty for one of the cluster. */
record ItemKey(String kind, String namespace, String name) {}
