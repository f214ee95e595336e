/** The names of all metrics, the values of one part of the gateway, and the text formats in which they are read. */
@NullMarked
package dev.sluice.metrics;

import org.jspecify.annotations.NullMarked;
