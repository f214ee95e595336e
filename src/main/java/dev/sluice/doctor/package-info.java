/**
 * The diagnosis. The rules explain why a pod does not run, and find the faults of nodes and of their GPU hardware and
 * software. This package also reads the output of the script of {@code sluice doctor node}, and suggests commands for a
 * report.
 */
@NullMarked
package dev.sluice.doctor;

import org.jspecify.annotations.NullMarked;
