/** The handover of the Lease during a rollout. */
@NullMarked
@CheckReturnValue
package dev.sluice.election.succession;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
