/** Files that are read again when they change. */
@NullMarked
@CheckReturnValue
package dev.sluice.reload;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
