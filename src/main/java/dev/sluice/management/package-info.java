/** Probes, metrics and the API, on a port of their own. No decision waits for them. */
@NullMarked
@CheckReturnValue
package dev.sluice.management;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
