/** Resource names and Kubernetes quantities, their exact sums, and the rounded amounts that the scheduler compares. */
@NullMarked
package dev.sluice.cluster.quantity;

import org.jspecify.annotations.NullMarked;
