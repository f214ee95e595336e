/** Where a pod may run: node selectors, node affinity and tolerations, evaluated as kube-scheduler evaluates them. */
@NullMarked
@CheckReturnValue
package dev.sluice.scheduling;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
