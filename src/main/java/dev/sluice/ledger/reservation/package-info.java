/** The reservations, how they are placed on tentative nodes, and how they are moved between them. */
@NullMarked
@CheckReturnValue
package dev.sluice.ledger.reservation;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
