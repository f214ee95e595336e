/** The bodies of requests, within one budget of memory, and the answers. */
@NullMarked
@CheckReturnValue
package dev.sluice.body;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
