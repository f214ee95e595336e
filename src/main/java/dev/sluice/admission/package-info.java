/**
 * The decision: the search in the candidates of a fallback chain for the resource that a pod gets, and the explanation
 * of that choice. What the decision reads is in {@code request}, and what it returns is in {@code verdict}.
 */
@NullMarked
package dev.sluice.admission;

import org.jspecify.annotations.NullMarked;
