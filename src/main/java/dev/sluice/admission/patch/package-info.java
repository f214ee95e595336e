/**
 * The JSON patch that carries out a decision: the changes of containers and annotations, their operations, and the
 * check that the pod is valid after the patch.
 */
@NullMarked
package dev.sluice.admission.patch;

import org.jspecify.annotations.NullMarked;
