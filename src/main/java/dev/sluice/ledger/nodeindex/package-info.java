/** The usage of each node, and the index that finds a node with enough free capacity. */
@NullMarked
package dev.sluice.ledger.nodeindex;

import org.jspecify.annotations.NullMarked;
