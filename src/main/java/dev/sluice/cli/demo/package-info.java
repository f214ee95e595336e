/** The tour of {@code sluice demo}: real reviews, sent to a real gateway, told as a story. */
@NullMarked
@CheckReturnValue
package dev.sluice.cli.demo;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
