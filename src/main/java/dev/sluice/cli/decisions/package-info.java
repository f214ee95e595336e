/** The command {@code decisions}: what a running gateway has decided. */
@NullMarked
package dev.sluice.cli.decisions;

import org.jspecify.annotations.NullMarked;
