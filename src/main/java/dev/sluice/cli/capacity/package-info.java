/** The command that shows the capacity of a cluster. */
@NullMarked
package dev.sluice.cli.capacity;

import org.jspecify.annotations.NullMarked;
