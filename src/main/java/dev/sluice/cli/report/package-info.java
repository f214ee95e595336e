/** The option {@code --report} of the doctor: a cluster report in files. */
@NullMarked
package dev.sluice.cli.report;

import org.jspecify.annotations.NullMarked;
