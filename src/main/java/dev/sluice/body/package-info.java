/** Bodies of requests, which share one memory budget, and the answers to them. */
@NullMarked
@CheckReturnValue
package dev.sluice.body;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
