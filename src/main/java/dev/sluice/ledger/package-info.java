/**
 * What is free: Allocatable of every node, less what bound pods hold (Allocated), less what was decided or waits
 * (Reserved).
 *
 * <p>Pure: no I/O, no clock, no framework type. {@link dev.sluice.ledger.Ledger} is the one door; everything mutable in
 * here has one owner, the thread that calls it.
 *
 * <p>Invariants:
 *
 * <ul>
 *   <li>A pod is counted once: as Allocated when it is bound, as Reserved when it is not, whatever was decided for it.
 *   <li>A decision is Reserved from the moment it is made until a pod with its stamp is seen, or none can come any
 *       more.
 *   <li>Reserved pods stand on one tentative node each, beside each other and beside Allocated within Allocatable, or
 *       on none; only a node that the cluster itself has filled beyond that holds more.
 *   <li>Pods on unknown nodes and decisions for nodes that went away are normal, and never show in what is free.
 * </ul>
 */
@NullMarked
@CheckReturnValue
package dev.sluice.ledger;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
