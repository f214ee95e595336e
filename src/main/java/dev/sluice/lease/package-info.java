/**
 * Makes decisions that reserve resources. Contains the verticle that owns the ledger, and the code by which this
 * replica shares reservations with other replicas through the Lease and messages.
 */
@NullMarked
package dev.sluice.lease;

import org.jspecify.annotations.NullMarked;
