/**
 * The appenders, encoders and formats of the log. No log line delays a decision, lost lines are counted, and text of
 * others cannot forge a line or a key.
 */
@NullMarked
package dev.sluice.log;

import org.jspecify.annotations.NullMarked;
