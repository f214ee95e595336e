/** A decision as data: what becomes of a pod, why, and in which numbers. */
@NullMarked
package dev.sluice.admission.verdict;

import org.jspecify.annotations.NullMarked;
