/**
 * The commands {@code doctor} and {@code doctor node}: their options, the source of the facts, the changes since the
 * last reading, and the output as text and JSON. The rules are in the package {@code dev.sluice.doctor}, and the report
 * file is in {@code dev.sluice.doctor.report}.
 */
@NullMarked
package dev.sluice.cli.doctor;

import org.jspecify.annotations.NullMarked;
