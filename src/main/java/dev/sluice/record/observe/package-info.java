/** The observers of reviews, and the logs of decisions, of the decision gate and of the in-sync replicas. */
@NullMarked
package dev.sluice.record.observe;

import org.jspecify.annotations.NullMarked;
