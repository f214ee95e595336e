/**
 * Places reservations on nodes: it tracks the usage of each node and its devices, indexes nodes to find one with enough
 * free capacity, and keeps, for each reservation, the node on which it is placed or its position in the queue.
 */
@NullMarked
package dev.sluice.ledger.placement;

import org.jspecify.annotations.NullMarked;
