/** The sentences that users read in warnings and denials. */
@NullMarked
package dev.sluice.wording;

import org.jspecify.annotations.NullMarked;
