/** The command that runs the gateway until a signal ends it. */
@NullMarked
@CheckReturnValue
package dev.sluice.cli.serve;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
