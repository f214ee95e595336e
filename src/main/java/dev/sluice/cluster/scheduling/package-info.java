/** Node selectors, node affinity and tolerations, evaluated as kube-scheduler does. */
@NullMarked
package dev.sluice.cluster.scheduling;

import org.jspecify.annotations.NullMarked;
