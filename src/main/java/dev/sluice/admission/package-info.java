/**
 * The decision: which resource of a fallback chain a pod gets, and the explanation of that choice. What the decision
 * reads is in {@code request}, and what it returns is in {@code verdict}.
 */
@NullMarked
package dev.sluice.admission;

import org.jspecify.annotations.NullMarked;
