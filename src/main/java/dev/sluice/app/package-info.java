/** The gateway, put together from its verticles. */
@NullMarked
@CheckReturnValue
package dev.sluice.app;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
