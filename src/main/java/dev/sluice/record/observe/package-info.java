/**
 * The observers of reviews: the log of decisions and of the decision gate, and the batches in which decision records
 * are published.
 */
@NullMarked
package dev.sluice.record.observe;

import org.jspecify.annotations.NullMarked;
