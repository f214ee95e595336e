/**
 * How the log leaves the process: no line makes a decision wait, none is lost without being counted, and nothing that
 * others wrote can pass for a line or a key of ours. {@code logback.xml} names these classes.
 */
@NullMarked
@CheckReturnValue
package dev.sluice.log;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
