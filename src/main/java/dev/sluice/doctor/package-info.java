/**
 * The diagnosis: the rules and causes that explain why a pod does not run, the findings about nodes and about their GPU
 * hardware and software, the reader for the output of {@code sluice doctor node}, and the commands that a report
 * suggests.
 */
@NullMarked
package dev.sluice.doctor;

import org.jspecify.annotations.NullMarked;
