/**
 * The reflectors of nodes and pods: each lists and watches one kind and turns what the API server sends into
 * {@link dev.sluice.cluster.event.ClusterEvent}s.
 *
 * <p>Invariants: a list of nodes is published as a whole or not at all; a list of pods is published in pages, and its
 * end only when it is complete; no change is lost between a list and its watch or between two watches; events reach the
 * bus in the order in which the API server sent them; no state of the cluster is kept here.
 */
@NullMarked
package dev.sluice.kube.watch;

import org.jspecify.annotations.NullMarked;
