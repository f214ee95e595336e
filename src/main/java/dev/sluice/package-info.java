/** The entry point of the program: it passes the arguments to the command line. */
@NullMarked
package dev.sluice;

import org.jspecify.annotations.NullMarked;
