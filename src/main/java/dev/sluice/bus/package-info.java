/**
 * The topics and services of the event bus, which are all that verticles know of each other.
 *
 * <p>Messages are immutable and passed by reference; none leaves the process.
 */
@NullMarked
package dev.sluice.bus;

import org.jspecify.annotations.NullMarked;
