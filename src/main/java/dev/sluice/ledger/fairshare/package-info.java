/** Fair shares of what is reserved for expected pods, so that no namespace can take everything. */
@NullMarked
package dev.sluice.ledger.fairshare;

import org.jspecify.annotations.NullMarked;
