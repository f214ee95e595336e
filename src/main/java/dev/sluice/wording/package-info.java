/** The sentences that users read in warnings and denials. */
@NullMarked
@CheckReturnValue
package dev.sluice.wording;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
