/**
 * Who of several gateways decides in availability mode: the holder of a Lease.
 *
 * <p>At no moment do two processes hold it, by clocks that may differ as long as they run at about the same speed. See
 * decision 7.
 */
@NullMarked
@CheckReturnValue
package dev.sluice.election;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
