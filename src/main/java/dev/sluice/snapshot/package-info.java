/** The immutable picture of what all nodes offer, by which gateways decide. */
@NullMarked
@CheckReturnValue
package dev.sluice.snapshot;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
