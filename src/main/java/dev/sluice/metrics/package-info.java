/**
 * What is counted and how it is shown to Prometheus. Nothing that decides knows of it: metrics wrap from outside, and
 * every name stands in {@link dev.sluice.metrics.MetricName}.
 */
@NullMarked
@CheckReturnValue
package dev.sluice.metrics;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
