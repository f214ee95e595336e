/** The immutable snapshot of all nodes by which gateways decide. */
@NullMarked
@CheckReturnValue
package dev.sluice.snapshot;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
