/**
 * The command line, and the commands that need no room of their own, such as {@code serve}, {@code capacity} and
 * {@code certs}. Each command reads its arguments, asks other rooms and prints the answer.
 */
@NullMarked
package dev.sluice.cli;

import org.jspecify.annotations.NullMarked;
