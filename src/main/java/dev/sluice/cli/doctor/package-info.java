/**
 * The commands {@code doctor} and {@code doctor node}: their options, the source of the facts, the changes since the
 * last reading, and the output as text, as JSON and as the report on a whole cluster, which is an HTML page with
 * sections, tables, bars and pictures of nodes. The rules are in the package {@code dev.sluice.doctor}.
 */
@NullMarked
package dev.sluice.cli.doctor;

import org.jspecify.annotations.NullMarked;
