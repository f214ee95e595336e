/**
 * The numbers of the gateway's parts, their names in {@link dev.sluice.metrics.MetricName}, and the formats in which
 * they are read.
 */
@NullMarked
package dev.sluice.metrics;

import org.jspecify.annotations.NullMarked;
