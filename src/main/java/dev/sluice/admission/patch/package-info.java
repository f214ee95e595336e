/** The JSON Patch that carries out a decision, and the check that the patched pod is valid. */
@NullMarked
package dev.sluice.admission.patch;

import org.jspecify.annotations.NullMarked;
