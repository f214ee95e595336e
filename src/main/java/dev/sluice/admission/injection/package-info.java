/**
 * Injection: holds the rules for each GPU type and namespace, and calculates how cpu, memory and other resources are
 * divided among the GPU containers of a pod.
 *
 * <p>The arithmetic is exact: coefficients are decimal numbers, amounts are quantities.
 */
@NullMarked
package dev.sluice.admission.injection;

import org.jspecify.annotations.NullMarked;
