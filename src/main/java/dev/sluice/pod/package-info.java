/** Existing pods as the ledger reads them, and how kube-scheduler sums up the requests of containers. */
@NullMarked
@CheckReturnValue
package dev.sluice.pod;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
