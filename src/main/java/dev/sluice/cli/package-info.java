/** The commands: each reads its arguments and files, asks the rooms below for the answer and prints it for people. */
@NullMarked
@CheckReturnValue
package dev.sluice.cli;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
