/** Races on what threads share: {@code mvn -q -f src/bench test-compile exec:exec@stress}. */
@NullMarked
@CheckReturnValue
package dev.sluice.stress;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
