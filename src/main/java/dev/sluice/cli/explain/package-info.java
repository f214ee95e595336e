/** The command that explains a decision. */
@NullMarked
@CheckReturnValue
package dev.sluice.cli.explain;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
