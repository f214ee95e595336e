/**
 * The command line, and the commands that need no package of their own, such as {@code serve}, {@code capacity} and
 * {@code certs}. Each command reads its arguments, calls other packages and prints the answer.
 */
@NullMarked
package dev.sluice.cli;

import org.jspecify.annotations.NullMarked;
