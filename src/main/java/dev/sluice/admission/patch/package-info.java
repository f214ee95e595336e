/**
 * Creates the JSON patch for a decision: the operations that change containers and annotations. Checks that the pod is
 * valid after the patch.
 */
@NullMarked
package dev.sluice.admission.patch;

import org.jspecify.annotations.NullMarked;
