/** The command line: each command reads its arguments, asks other rooms and prints the answer. */
@NullMarked
package dev.sluice.cli;

import org.jspecify.annotations.NullMarked;
