/**
 * The reflectors of nodes and pods: each lists and watches one kind, on the API server or in a snapshot file, and
 * publishes its changes.
 */
@NullMarked
package dev.sluice.kube.watch;

import org.jspecify.annotations.NullMarked;
