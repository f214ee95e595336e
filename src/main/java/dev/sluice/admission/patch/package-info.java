/** The JSON patch that carries out a decision, and the check that the pod is valid after the patch. */
@NullMarked
package dev.sluice.admission.patch;

import org.jspecify.annotations.NullMarked;
