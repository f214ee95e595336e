/** How much one namespace may hold of what is assumed, so that no namespace can take everything. */
@NullMarked
@CheckReturnValue
package dev.sluice.ledger.fairshare;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
