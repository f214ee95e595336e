/** The entry point of the program. */
@NullMarked
@CheckReturnValue
package dev.sluice;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
