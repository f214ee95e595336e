/** The decoders of a pod that reviews and watches share: resources, scheduling constraints and annotations. */
@NullMarked
@CheckReturnValue
package dev.sluice.podspec;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
