/**
 * Contains the rules of injection for each GPU type and namespace. Calculates by these rules the CPU, memory and other
 * resources that each GPU container of a pod gets.
 *
 * <p>The calculation is exact: coefficients are decimal numbers, and amounts are quantities.
 */
@NullMarked
package dev.sluice.admission.injection;

import org.jspecify.annotations.NullMarked;
