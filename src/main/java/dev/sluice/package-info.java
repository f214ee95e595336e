/** The composition root and the entry point; everything else is put together here. */
@NullMarked
@CheckReturnValue
package dev.sluice;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
