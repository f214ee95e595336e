/**
 * The decision: the search in the candidates of a fallback chain for the resource that a pod gets, the free capacity
 * that the search reads, the explanation of the choice, and the decision about a pod that cannot be read. The input of
 * the decision is in {@code request}, and its result is in {@code verdict}.
 */
@NullMarked
package dev.sluice.admission;

import org.jspecify.annotations.NullMarked;
