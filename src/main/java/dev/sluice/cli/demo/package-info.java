/** The command {@code demo}: a tour that sends real reviews to a real gateway with an embedded cluster. */
@NullMarked
package dev.sluice.cli.demo;

import org.jspecify.annotations.NullMarked;
