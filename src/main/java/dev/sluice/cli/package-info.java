/** The command line. Each command reads its arguments and files, asks other packages for the answer and prints it. */
@NullMarked
@CheckReturnValue
package dev.sluice.cli;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
