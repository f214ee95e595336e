/**
 * The entry point of the program: the main class, which passes the arguments to the command line. The gateway is
 * assembled in {@code app}.
 */
@NullMarked
package dev.sluice;

import org.jspecify.annotations.NullMarked;
