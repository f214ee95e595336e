/** The command {@code demo}: a tour that sends real reviews to a real gateway with a cluster in memory. */
@NullMarked
package dev.sluice.cli.demo;

import org.jspecify.annotations.NullMarked;
