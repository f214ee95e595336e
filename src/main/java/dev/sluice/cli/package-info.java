/**
 * The command line with the handler of its errors, and the commands without a separate package: {@code serve},
 * {@code check}, {@code capacity}, {@code certs}, {@code console}, {@code decisions}, {@code metrics},
 * {@code completion} and {@code version}. Each command reads its arguments, calls other packages and prints the answer.
 */
@NullMarked
package dev.sluice.cli;

import org.jspecify.annotations.NullMarked;
