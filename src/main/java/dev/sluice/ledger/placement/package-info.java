/**
 * Places reservations on nodes: it tracks the usage of each node, finds nodes with enough free capacity, and keeps the
 * tentative node of each reservation.
 */
@NullMarked
package dev.sluice.ledger.placement;

import org.jspecify.annotations.NullMarked;
