/**
 * The observers of reviews: the logs of decisions, of the decision gate and of the in-sync replicas, and the batcher
 * that publishes decision records.
 */
@NullMarked
package dev.sluice.record.observe;

import org.jspecify.annotations.NullMarked;
