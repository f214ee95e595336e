/** The usage of each node, and the index that finds a node with enough free capacity. */
@NullMarked
@CheckReturnValue
package dev.sluice.ledger.nodeindex;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
