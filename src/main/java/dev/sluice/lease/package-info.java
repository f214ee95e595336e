/**
 * Makes the decisions that reserve resources. One verticle owns the ledger. The other classes share reservations with
 * other replicas, through the Lease and messages.
 */
@NullMarked
package dev.sluice.lease;

import org.jspecify.annotations.NullMarked;
