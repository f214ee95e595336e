/** The command line. Each command reads its arguments and files, asks other packages for the answer and prints it. */
@NullMarked
package dev.sluice.cli;

import org.jspecify.annotations.NullMarked;
