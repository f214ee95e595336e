/**
 * The topics on which verticles meet, and nothing else they know of each other.
 *
 * <p>Messages are immutable and cross by reference; nothing here leaves the process.
 */
@NullMarked
@CheckReturnValue
package dev.sluice.bus;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
