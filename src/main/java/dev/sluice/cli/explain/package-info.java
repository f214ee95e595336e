/** The command {@code explain}: a decision in words or in JSON. */
@NullMarked
package dev.sluice.cli.explain;

import org.jspecify.annotations.NullMarked;
