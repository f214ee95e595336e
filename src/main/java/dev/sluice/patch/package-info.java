/** The JSON Patch that carries out a decision, and the check that the patched pod is a legal one. */
@NullMarked
@CheckReturnValue
package dev.sluice.patch;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
