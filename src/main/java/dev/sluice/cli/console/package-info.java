/** Tables, colours, options, errors and exit codes that all commands share. */
@NullMarked
@CheckReturnValue
package dev.sluice.cli.console;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
