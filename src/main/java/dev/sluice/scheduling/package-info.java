/** Node selectors, node affinity and tolerations, evaluated as kube-scheduler does. */
@NullMarked
@CheckReturnValue
package dev.sluice.scheduling;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
