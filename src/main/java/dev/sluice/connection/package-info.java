/** TCP connections: how many may be open, and how long each may take. */
@NullMarked
@CheckReturnValue
package dev.sluice.connection;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
