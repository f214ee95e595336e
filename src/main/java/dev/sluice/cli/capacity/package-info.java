/** The command that shows the capacity of a cluster. */
@NullMarked
@CheckReturnValue
package dev.sluice.cli.capacity;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
