/**
 * The rules of injection for each GPU type and namespace, and the calculation of the CPU, memory and other resources
 * that each GPU container of a pod gets.
 *
 * <p>The calculation is exact: coefficients are decimal numbers, and amounts are quantities.
 */
@NullMarked
package dev.sluice.admission.injection;

import org.jspecify.annotations.NullMarked;
