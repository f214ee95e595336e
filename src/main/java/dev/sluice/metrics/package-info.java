/**
 * Metrics in the text format of Prometheus, with their names in {@link dev.sluice.metrics.MetricName}. They observe
 * decisions from outside.
 */
@NullMarked
package dev.sluice.metrics;

import org.jspecify.annotations.NullMarked;
