/**
 * What belongs to a GPU: the rules of gpuinjector's file, and the exact arithmetic by which cpu, memory and the rest
 * are shared out among the containers of a pod.
 *
 * <p>Pure: JDK and JSpecify only. No floating point: a coefficient is a decimal number, an amount a quantity.
 */
@NullMarked
@CheckReturnValue
package dev.sluice.injection;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
