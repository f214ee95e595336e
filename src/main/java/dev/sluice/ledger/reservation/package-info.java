/** The reservations, how they are placed on tentative nodes, and how they are moved between them. */
@NullMarked
package dev.sluice.ledger.reservation;

import org.jspecify.annotations.NullMarked;
