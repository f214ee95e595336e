/** The doctor's report on a whole cluster: an HTML page with sections, tables, bars and pictures of nodes. */
@NullMarked
package dev.sluice.doctor.report;

import org.jspecify.annotations.NullMarked;
