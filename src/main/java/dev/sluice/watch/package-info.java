/**
 * Turns what the API server or a snapshot file tells into {@link dev.sluice.cluster.ClusterEvent}s.
 *
 * <p>Invariants: a list of nodes is published whole or not at all, one of pods in pages and ended only when it is
 * complete; between a list and its watch, and between two watches, nothing is missed; events reach the bus in the order
 * in which the source told them; of the cluster nothing is kept here.
 */
@NullMarked
@CheckReturnValue
package dev.sluice.watch;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
