/**
 * Injection: calculates how cpu, memory and other resources are divided among the GPU containers of a pod.
 *
 * <p>The arithmetic is exact: coefficients are decimal numbers, amounts are quantities.
 */
@NullMarked
@CheckReturnValue
package dev.sluice.injection;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
