/**
 * Computes what is Available: Allocatable of each node, less the requests of bound pods (Allocated), less the requests
 * of decisions and waiting pods (Reserved).
 *
 * <p>The package does no I/O, reads no clock and uses no framework type. {@link dev.sluice.ledger.Ledger} is its only
 * entry point. All mutable objects are owned by the thread that calls it.
 *
 * <p>Invariants:
 *
 * <ul>
 *   <li>A pod is counted once: as Allocated when it is bound, and as Reserved when it is not, no matter what was
 *       decided for it.
 *   <li>A decision is Reserved from the moment it is made until its pod is seen or can no longer appear.
 *   <li>A reservation is placed on one tentative node, or is pending. All reservations on a node fit together with
 *       Allocated, unless the cluster itself has filled the node beyond Allocatable.
 *   <li>Pods on unknown nodes and decisions for removed nodes are normal, and never count as free capacity.
 * </ul>
 */
@NullMarked
package dev.sluice.ledger;

import org.jspecify.annotations.NullMarked;
