/** Node selectors, node affinity and tolerations, evaluated as kube-scheduler does. */
@NullMarked
package dev.sluice.scheduling;

import org.jspecify.annotations.NullMarked;
