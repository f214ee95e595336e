/**
 * Metrics over the event bus: each part of the gateway answers {@code metrics.scrape} on its own event loop with what
 * it has counted, and whoever wants to see the numbers asks all of them.
 */
@NullMarked
package dev.sluice.metrics.scrape;

import org.jspecify.annotations.NullMarked;
