/**
 * Counts decisions by namespace and chain, and keeps the counts of all replicas in a ConfigMap, so that they survive
 * restarts.
 *
 * <p>No review depends on this package. Counts that cannot be written are kept in memory and written later.
 */
@NullMarked
package dev.sluice.record.summary;

import org.jspecify.annotations.NullMarked;
