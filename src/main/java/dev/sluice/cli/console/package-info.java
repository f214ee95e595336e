/** What all commands share: columns, colours, options, errors and exit codes. */
@NullMarked
@CheckReturnValue
package dev.sluice.cli.console;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
