/** The metrics of each part of the gateway, and the scrape that asks all parts over the event bus. */
@NullMarked
package dev.sluice.metrics.parts;

import org.jspecify.annotations.NullMarked;
