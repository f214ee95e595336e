/**
 * The names and types of all metrics, the values and histograms that one part of the gateway reports, and the text
 * formats of a scrape.
 */
@NullMarked
package dev.sluice.metrics;

import org.jspecify.annotations.NullMarked;
