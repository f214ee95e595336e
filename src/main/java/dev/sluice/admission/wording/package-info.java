/** The sentences that users read in warnings and denials. */
@NullMarked
package dev.sluice.admission.wording;

import org.jspecify.annotations.NullMarked;
