/**
 * The counters and gauges of each part of the gateway, such as the JVM, Vert.x, the ledger and the watches, the list of
 * all parts, and the scrape that asks them over the event bus.
 */
@NullMarked
package dev.sluice.metrics.parts;

import org.jspecify.annotations.NullMarked;
