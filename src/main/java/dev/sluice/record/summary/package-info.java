/**
 * Keeps the counts of decisions of all replicas in a ConfigMap, so that they survive restarts. The tally that counts is
 * in {@code record}.
 *
 * <p>No review depends on this package. Counts that cannot be written are kept in memory and written later.
 */
@NullMarked
package dev.sluice.record.summary;

import org.jspecify.annotations.NullMarked;
