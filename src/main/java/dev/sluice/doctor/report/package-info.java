/** The doctor's report on a whole cluster: its sections, and the formats in which it is written. */
@NullMarked
package dev.sluice.doctor.report;

import org.jspecify.annotations.NullMarked;
