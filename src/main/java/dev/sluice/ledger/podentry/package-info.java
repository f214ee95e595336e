/** What is known of each pod, and the decisions whose pods have not been seen yet. */
@NullMarked
@CheckReturnValue
package dev.sluice.ledger.podentry;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
