/**
 * Where reservations are placed: the usage of each node, the index that finds a node with enough free capacity, and the
 * tentative node of each reservation.
 */
@NullMarked
package dev.sluice.ledger.placement;

import org.jspecify.annotations.NullMarked;
