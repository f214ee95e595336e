/** The observers of decisions, and the log of decisions. */
@NullMarked
@CheckReturnValue
package dev.sluice.observe;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
