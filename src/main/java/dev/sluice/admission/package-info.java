/**
 * The decision: the search in the candidates of a fallback chain for the resource that a pod gets, and the explanation
 * of that choice. The input of the decision is in {@code request}, and its result is in {@code verdict}.
 */
@NullMarked
package dev.sluice.admission;

import org.jspecify.annotations.NullMarked;
