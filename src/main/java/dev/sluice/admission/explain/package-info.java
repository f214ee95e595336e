/** A decision with everything that led to it, for people who ask why. */
@NullMarked
package dev.sluice.admission.explain;

import org.jspecify.annotations.NullMarked;
