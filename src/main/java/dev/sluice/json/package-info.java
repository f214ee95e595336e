/** JSON that is read token by token, and skipped where nobody reads it. */
@NullMarked
@CheckReturnValue
package dev.sluice.json;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
