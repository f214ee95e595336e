/**
 * What is free: Allocatable of every node, less what bound pods take (Allocated), less what decisions and pods that
 * wait take (Reserved).
 *
 * <p>It is pure: no I/O, no clock, no framework type. {@link dev.sluice.ledger.Ledger} is the only entry. Everything
 * mutable is owned by the thread that calls it.
 *
 * <p>Invariants:
 *
 * <ul>
 *   <li>A pod is counted once: as Allocated when it is bound, and as Reserved when it is not, whatever was decided for
 *       it.
 *   <li>A decision is Reserved from the moment it is made until its pod is seen or can no longer appear.
 *   <li>A reservation is placed on one tentative node, or pending. All that are placed on a node fit beside each other
 *       and beside Allocated, unless the cluster itself has filled the node beyond Allocatable.
 *   <li>Pods on unknown nodes and decisions for removed nodes are normal, and never show in what is free.
 * </ul>
 */
@NullMarked
package dev.sluice.ledger;

import org.jspecify.annotations.NullMarked;
