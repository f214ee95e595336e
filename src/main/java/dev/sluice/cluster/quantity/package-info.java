/**
 * Resource names and Kubernetes quantities: the text and the amounts of quantities, with the exact arithmetic and the
 * rounding of kube-scheduler.
 */
@NullMarked
package dev.sluice.cluster.quantity;

import org.jspecify.annotations.NullMarked;
