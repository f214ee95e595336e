/** The sections of the cluster report, from the facts and verdicts of the doctor. */
@NullMarked
package dev.sluice.cli.report.section;

import org.jspecify.annotations.NullMarked;
