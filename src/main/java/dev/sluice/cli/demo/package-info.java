/** The command {@code demo}: a tour that sends real reviews to a real gateway. */
@NullMarked
@CheckReturnValue
package dev.sluice.cli.demo;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
