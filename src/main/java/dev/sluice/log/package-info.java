/**
 * Appenders, encoder and formats of the log, which {@code logback.xml} names. No line makes a decision wait, lost lines
 * are counted, and text that others wrote cannot pass for a line or a key.
 */
@NullMarked
package dev.sluice.log;

import org.jspecify.annotations.NullMarked;
