/**
 * Who decides: leader election over a Lease, and the verticle that owns the ledger and makes the decisions that
 * reserve.
 */
@NullMarked
package dev.sluice.lease;

import org.jspecify.annotations.NullMarked;
