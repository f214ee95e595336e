/** The decision: which resource of a fallback chain a pod gets, by what nodes offer or by what is free. */
@NullMarked
package dev.sluice.admission.decide;

import org.jspecify.annotations.NullMarked;
