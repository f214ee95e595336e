/**
 * Places reservations on nodes: it tracks the usage of each node and its devices, indexes nodes to find one with enough
 * free capacity, and keeps the tentative node or the place in the queue of each reservation.
 */
@NullMarked
package dev.sluice.ledger.placement;

import org.jspecify.annotations.NullMarked;
