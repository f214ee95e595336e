/**
 * Leader election: elects the replica that decides through a Lease, hands the Lease over in a rollout, and contains the
 * verticle that owns the ledger and makes the decisions that reserve resources.
 */
@NullMarked
package dev.sluice.lease;

import org.jspecify.annotations.NullMarked;
