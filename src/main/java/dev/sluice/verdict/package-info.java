/** A decision as data: what becomes of a pod, why, and in which numbers. */
@NullMarked
@CheckReturnValue
package dev.sluice.verdict;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
