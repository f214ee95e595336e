/** The command {@code metrics}: the numbers of a running gateway. */
@NullMarked
package dev.sluice.cli.metrics;

import org.jspecify.annotations.NullMarked;
