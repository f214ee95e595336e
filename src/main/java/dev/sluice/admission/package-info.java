/**
 * What is decided about a pod and how it is carried out: policy, decider, verdict, patch.
 *
 * <p>Pure: JDK and JSpecify only, no I/O, no clock. The same pod, policy and cluster view give the same verdict.
 */
@NullMarked
@CheckReturnValue
package dev.sluice.admission;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
