/** The messages that verticles send each other. */
@NullMarked
@CheckReturnValue
package dev.sluice.bus.message;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
