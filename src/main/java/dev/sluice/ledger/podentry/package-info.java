/** The pods that exist, and the decisions whose pods were not seen yet. */
@NullMarked
package dev.sluice.ledger.podentry;

import org.jspecify.annotations.NullMarked;
