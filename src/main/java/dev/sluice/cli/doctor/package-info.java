/**
 * The command {@code doctor}: its options, where it reads from, and its output as text and JSON. The rules are in
 * {@code doctor}, and the report file is in {@code doctor.report}.
 */
@NullMarked
package dev.sluice.cli.doctor;

import org.jspecify.annotations.NullMarked;
