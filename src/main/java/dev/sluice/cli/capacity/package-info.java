/** The command that shows what the nodes offer. */
@NullMarked
@CheckReturnValue
package dev.sluice.cli.capacity;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
