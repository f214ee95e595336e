/** What each part of the gateway counts, and the scrape that asks all parts over the event bus. */
@NullMarked
package dev.sluice.metrics.parts;

import org.jspecify.annotations.NullMarked;
