/** The injection file. */
@NullMarked
@CheckReturnValue
package dev.sluice.config.injection;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
