/**
 * Elects the replica that decides through a Lease, and contains the verticle that owns the ledger and makes the
 * decisions that reserve resources.
 */
@NullMarked
package dev.sluice.lease;

import org.jspecify.annotations.NullMarked;
