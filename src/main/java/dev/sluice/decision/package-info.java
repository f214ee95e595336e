/**
 * The owner of the ledger. It applies cluster events, publishes snapshots, and makes the decisions that reserve, one
 * after another; the gateways make those that only read.
 */
@NullMarked
@CheckReturnValue
package dev.sluice.decision;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
