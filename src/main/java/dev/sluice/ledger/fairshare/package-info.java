/** Fair shares of what is reserved for expected pods, so that no namespace can take everything. */
@NullMarked
@CheckReturnValue
package dev.sluice.ledger.fairshare;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
