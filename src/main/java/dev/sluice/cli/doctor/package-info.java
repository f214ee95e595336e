/** The command {@code sluice doctor}. */
@NullMarked
package dev.sluice.cli.doctor;

import org.jspecify.annotations.NullMarked;
