/**
 * Decisions that reserve resources: the verticle that owns the ledger, the cache of these decisions for repeated
 * reviews, and the replica's part in sharing reservations with other replicas through the Lease and messages.
 */
@NullMarked
package dev.sluice.lease;

import org.jspecify.annotations.NullMarked;
