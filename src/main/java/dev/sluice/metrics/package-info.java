/** The names of all metrics, the values that one part of the gateway reports, and the text formats of a scrape. */
@NullMarked
package dev.sluice.metrics;

import org.jspecify.annotations.NullMarked;
