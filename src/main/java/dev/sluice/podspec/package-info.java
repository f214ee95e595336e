/**
 * The parts of a pod spec that are read the same way from a review and from a watch: quantities, constraints and
 * annotations.
 */
@NullMarked
@CheckReturnValue
package dev.sluice.podspec;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
