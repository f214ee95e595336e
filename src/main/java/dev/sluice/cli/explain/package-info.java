/** The command {@code explain}: a decision in words or in JSON. */
@NullMarked
@CheckReturnValue
package dev.sluice.cli.explain;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
