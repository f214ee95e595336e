/** The switches and fallback chains that an administrator chose, for all namespaces and for some. */
@NullMarked
@CheckReturnValue
package dev.sluice.policy;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
