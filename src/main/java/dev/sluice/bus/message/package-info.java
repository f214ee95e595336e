/** The messages on the event bus. */
@NullMarked
@CheckReturnValue
package dev.sluice.bus.message;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
