/** The rules of injection: which GPU type and which namespace get how much CPU and memory for each GPU. */
@NullMarked
@CheckReturnValue
package dev.sluice.injection.rule;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
