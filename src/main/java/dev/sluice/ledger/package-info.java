/**
 * Computes what is Available: the Allocatable of each node, minus the requests of bound pods (Allocated), minus the
 * requests of decisions and waiting pods (Reserved).
 *
 * <p>The package does no I/O, reads no clock and uses no framework type. {@link dev.sluice.ledger.Ledger} is its only
 * entry point. All mutable objects are owned by the thread that calls it.
 *
 * <p>Invariants:
 *
 * <ul>
 *   <li>A pod is counted once: as Allocated if it is bound, and as Reserved if it is not, whatever was decided about
 *       it.
 *   <li>A decision is Reserved from the moment it is made until its pod is seen or can no longer appear.
 *   <li>A reservation is placed on one tentative node, or is pending. All reservations on a node fit together with
 *       Allocated, unless the cluster itself has filled the node beyond Allocatable.
 *   <li>Pods on unknown nodes and decisions for removed nodes are normal. They never add free capacity.
 * </ul>
 */
@NullMarked
package dev.sluice.ledger;

import org.jspecify.annotations.NullMarked;
