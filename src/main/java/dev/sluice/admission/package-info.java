/** The decision: which resource of a fallback chain a pod gets, and the explanation of that choice. */
@NullMarked
package dev.sluice.admission;

import org.jspecify.annotations.NullMarked;
