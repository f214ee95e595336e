/**
 * The MIG profiles that GPU models really have: the grammar of their names and the tables per model.
 *
 * <p>Pure: JDK and JSpecify only, no I/O. Names here are for hints and warnings; what a node offers is read from the
 * node alone.
 */
@NullMarked
@CheckReturnValue
package dev.sluice.mig;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
