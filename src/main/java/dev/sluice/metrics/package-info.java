/**
 * Metrics in the text format of Prometheus, with their names in {@link dev.sluice.metrics.MetricName}. They observe
 * decisions from outside.
 */
@NullMarked
@CheckReturnValue
package dev.sluice.metrics;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
