/** Resource names and Kubernetes quantities, their exact sums, and the rounded amounts that the scheduler compares. */
@NullMarked
@CheckReturnValue
package dev.sluice.quantity;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
