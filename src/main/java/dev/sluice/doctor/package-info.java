/**
 * The diagnosis: the rules, causes and codes that explain why a pod does not run, the state of a diagnosis and the
 * order in which it examines pods, the search for what has to be repaired, the findings about nodes and about their GPU
 * hardware and software, the reader of the bundle that {@code sluice doctor node} prints on a node, and the commands
 * that a report suggests.
 */
@NullMarked
package dev.sluice.doctor;

import org.jspecify.annotations.NullMarked;
