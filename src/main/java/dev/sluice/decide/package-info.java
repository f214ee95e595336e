/** The decision: which resource of a fallback chain a pod gets, by what nodes offer or by what is free. */
@NullMarked
@CheckReturnValue
package dev.sluice.decide;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
