/**
 * What the cluster is, as far as a decision reads it: quantities, nodes, the pod's arithmetic, the ledger and its
 * immutable snapshots.
 *
 * <p>Pure: JDK and JSpecify only, no I/O, no clock, no framework type. The {@link dev.sluice.cluster.NodeLedger} has
 * one owner; everything else here is immutable.
 */
@NullMarked
@CheckReturnValue
package dev.sluice.cluster;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
