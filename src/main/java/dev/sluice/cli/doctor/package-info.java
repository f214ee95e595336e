/** The command doctor: its options, sources and output. */
@NullMarked
package dev.sluice.cli.doctor;

import org.jspecify.annotations.NullMarked;
