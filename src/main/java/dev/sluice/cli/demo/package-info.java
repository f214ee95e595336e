/** The command demo: a tour that sends real reviews to a real gateway. */
@NullMarked
package dev.sluice.cli.demo;

import org.jspecify.annotations.NullMarked;
