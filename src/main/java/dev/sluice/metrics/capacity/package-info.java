/** What nodes have of each device and what is taken of it, as numbers. */
@NullMarked
package dev.sluice.metrics.capacity;

import org.jspecify.annotations.NullMarked;
