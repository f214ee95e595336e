/**
 * Contains the injection rules for each GPU type and namespace. Calculates the CPU, memory and other resources that
 * each GPU container of a pod gets by these rules.
 *
 * <p>The calculation is exact: coefficients are decimal numbers, and amounts are quantities.
 */
@NullMarked
package dev.sluice.admission.injection;

import org.jspecify.annotations.NullMarked;
