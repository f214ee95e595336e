/**
 * The one owner of the ledger: cluster events come in, snapshots go out.
 *
 * <p>Decisions that reserve are taken here too, one after another; those that only read are taken by the gateways.
 */
@NullMarked
@CheckReturnValue
package dev.sluice.decision;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
