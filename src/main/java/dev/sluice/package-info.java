/** The entry point of the program. */
@NullMarked
package dev.sluice;

import org.jspecify.annotations.NullMarked;
