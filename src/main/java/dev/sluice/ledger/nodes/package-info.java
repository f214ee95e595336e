/** The nodes of the cluster as the watch tells them, grouped by kind, and the snapshots of them. */
@NullMarked
package dev.sluice.ledger.nodes;

import org.jspecify.annotations.NullMarked;
