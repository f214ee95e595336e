/** Reading JSON token by token, and past whatever nobody reads. */
@NullMarked
@CheckReturnValue
package dev.sluice.json;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
