/** The pods that exist, and the decisions whose pods were not seen yet. */
@NullMarked
@CheckReturnValue
package dev.sluice.ledger.podentry;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
