/** A decision with everything that led to it, for people who ask why. */
@NullMarked
@CheckReturnValue
package dev.sluice.explain;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
