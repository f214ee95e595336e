/** The rules about pods: each finds one cause, and says it in sentences with its evidence. */
@NullMarked
package dev.sluice.diagnosis.cause;

import org.jspecify.annotations.NullMarked;
