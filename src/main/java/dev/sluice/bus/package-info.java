/**
 * The topics and services of the event bus, which are all that verticles know of each other.
 *
 * <p>Messages are immutable and passed by reference; none leaves the process.
 */
@NullMarked
@CheckReturnValue
package dev.sluice.bus;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
