/**
 * What a resource is called and how much of it there is: Kubernetes quantities, exact sums, and amounts by resource.
 *
 * <p>Pure: no I/O, no clock, no framework type, as in every package of the core.
 */
@NullMarked
@CheckReturnValue
package dev.sluice.quantity;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
