/** A pod as the ledger sees it, and the arithmetic by which kube-scheduler sums the requests of its containers. */
@NullMarked
@CheckReturnValue
package dev.sluice.pod;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
