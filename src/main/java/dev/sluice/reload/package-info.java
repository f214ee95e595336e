/** How a file is seen to have changed. */
@NullMarked
@CheckReturnValue
package dev.sluice.reload;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
