/** The decoders of nodes and pods: from JSON of the API to the types of the core. */
@NullMarked
@CheckReturnValue
package dev.sluice.objects;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
